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

    /// A module whose `get` gives a handle of something that the host knows by this name.
    pub(super) fn handles(
        &self,
        kind: impl Fn(&dyn Host, &str) -> HostResult<String> + 'js,
        handle: impl Fn(&Self, String) -> Result<Object<'js>> + 'js,
    ) -> Result<Object<'js>> {
        let module = self.object()?;
        let host = self.host();
        self.function(&module, "get", move |ctx: Ctx<'js>, name: String| {
            answer(&ctx, kind(&*host, &name))?;
            handle(&Self::new(&ctx, &host), name)
        })?;
        Ok(module)
    }

    /// Gives a handle what looks after the sources that it opens.
    pub(super) fn add_sources(&self, handle: &Object<'js>) -> Result<()> {
        self.unary(handle, "isOpen", |host, id| Ok(host.is_open(id)))?;
        self.unary(handle, "cancel", |host, id| {
            host.cancel(id);
            Ok(())
        })
    }
}

/// What the host answered; its failure is a `TypeError` with the text.
pub(super) fn answer<T, E: ToString>(ctx: &Ctx<'_>, result: std::result::Result<T, E>) -> Result<T> {
    result.map_err(|failure| Exception::throw_type(ctx, &failure.to_string()))
}
