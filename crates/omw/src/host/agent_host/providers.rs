//! Calls of models.

use std::sync::Arc;

use crate::exchange::{ChatReply, ChatRequest};
use crate::host::sources::SourceKind;
use crate::host::trace::to_value;
use crate::host::{HostError, HostResult, pump};
use crate::provider::Provider;

use super::{AgentHost, detail};

impl AgentHost {
    pub(super) fn provider(&self, name: &str) -> HostResult<&Arc<dyn Provider>> {
        let found = self.agent.shared.providers.get(name);
        found.ok_or_else(|| HostError::failed(format!("no such provider \"{name}\"")))
    }

    pub(super) fn list_models(&self, provider: &str) -> HostResult<Vec<String>> {
        let call = self.begin("list_models", None, || detail::provider(provider))?;
        let models = self.provider(provider).and_then(|provider| call.ask(provider.list_models()));
        call.end(models, |models| to_value(models))
    }

    pub(super) fn chat(&self, provider: &str, request: ChatRequest) -> HostResult<ChatReply> {
        let call = self.begin("chat", None, || detail::chat(provider, &request))?;
        let reply = self.provider(provider).and_then(|provider| call.ask(provider.chat(request)));
        call.end(reply, detail::reply)
    }

    pub(super) fn chat_stream(&self, provider: &str, request: ChatRequest) -> HostResult<String> {
        let id = self.agent.shared.seam.new_id();
        let call = self.begin("chat_stream", Some(&id), || detail::chat(provider, &request))?;
        let opened = self.provider(provider).and_then(|found| {
            let asked = Arc::clone(found);
            let what = format!("provider \"{provider}\"");
            self.start(&id, SourceKind::ChatStream, found.pace(), what, |to| pump::chat(asked, request, to))
        });
        call.end_with_id(opened)
    }
}
