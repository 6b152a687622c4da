//! Functions of the host as functions of a script.

use std::sync::Arc;

use rquickjs::function::IntoJsFunc;
use rquickjs::{Ctx, Exception, Function, IntoJs, Object, Result};

use crate::host::{Host, HostResult};

/// What functions are made of: the context they live in and the host they call.
pub(super) struct Api<'js> {
    ctx: Ctx<'js>,
    host: Arc<dyn Host>,
}

impl<'js> Api<'js> {
    pub(super) fn new(ctx: &Ctx<'js>, host: &Arc<dyn Host>) -> Self {
        Self { ctx: ctx.clone(), host: Arc::clone(host) }
    }

    /// An object without members.
    pub(super) fn object(&self) -> Result<Object<'js>> {
        Object::new(self.ctx.clone())
    }

    /// The host, for a function to keep.
    pub(super) fn host(&self) -> Arc<dyn Host> {
        Arc::clone(&self.host)
    }

    /// Gives an object a function.
    pub(super) fn function<P>(
        &self,
        object: &Object<'js>,
        name: &'static str,
        call: impl IntoJsFunc<'js, P> + 'js,
    ) -> Result<()> {
        object.set(name, Function::new(self.ctx.clone(), call)?.with_name(name)?)
    }

    /// Gives an object a function that takes nothing.
    pub(super) fn nullary<R: IntoJs<'js> + 'js>(
        &self,
        object: &Object<'js>,
        name: &'static str,
        call: impl Fn(&dyn Host) -> HostResult<R> + 'js,
    ) -> Result<()> {
        let host = self.host();
        self.function(object, name, move |ctx: Ctx<'js>| answer(&ctx, call(&*host)))
    }

    /// Gives an object a function that takes a text.
    pub(super) fn unary<R: IntoJs<'js> + 'js>(
        &self,
        object: &Object<'js>,
        name: &'static str,
        call: impl Fn(&dyn Host, &str) -> HostResult<R> + 'js,
    ) -> Result<()> {
        let host = self.host();
        self.function(object, name, move |ctx: Ctx<'js>, text: String| answer(&ctx, call(&*host, &text)))
    }

    /// Gives an object a function that takes two texts.
    pub(super) fn binary<R: IntoJs<'js> + 'js>(
        &self,
        object: &Object<'js>,
        name: &'static str,
        call: impl Fn(&dyn Host, &str, &str) -> HostResult<R> + 'js,
    ) -> Result<()> {
        let host = self.host();
        self.function(object, name, move |ctx: Ctx<'js>, first: String, second: String| {
            answer(&ctx, call(&*host, &first, &second))
        })
    }
}

/// What the host answered; its failure is a `TypeError` with the text.
pub(super) fn answer<T, E: ToString>(ctx: &Ctx<'_>, result: std::result::Result<T, E>) -> Result<T> {
    result.map_err(|failure| Exception::throw_type(ctx, &failure.to_string()))
}
