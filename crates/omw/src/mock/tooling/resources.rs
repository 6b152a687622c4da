//! The resources: what is listed and read now, and what will happen to them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;

use super::updates::{Contents, Update, subscription};
use crate::backend::BackendError;
use crate::exchange::{ResourceContent, ResourceInfo};
use crate::tooling::UpdateStream;

pub(super) struct Resources {
    now: Mutex<Now>,
    pub(super) list_updates: Vec<Arc<Update<Vec<ResourceInfo>>>>,
    pub(super) content_updates: Vec<(String, Arc<Update<Contents>>)>,
}

/// What is listed and read now.
struct Now {
    list: Vec<ResourceInfo>,
    contents: IndexMap<String, Vec<String>>,
}

impl Resources {
    pub(super) fn new(
        list: Vec<ResourceInfo>,
        contents: IndexMap<String, Vec<String>>,
        list_updates: Vec<Arc<Update<Vec<ResourceInfo>>>>,
        content_updates: Vec<(String, Arc<Update<Contents>>)>,
    ) -> Self {
        Self { now: Mutex::new(Now { list, contents }), list_updates, content_updates }
    }

    pub(super) fn list(&self) -> Vec<ResourceInfo> {
        self.now().list.clone()
    }

    pub(super) fn read(&self, uri: &str) -> Result<Vec<ResourceContent>, BackendError> {
        let now = self.now();
        match now.contents.get(uri) {
            Some(texts) => Ok(now.contents_of(uri, texts)),
            None => Err(BackendError::new(format_args!("mock has no content for resource \"{uri}\""))),
        }
    }

    pub(super) fn list_updates(self: &Arc<Self>) -> UpdateStream<Vec<ResourceInfo>> {
        let resources = Arc::clone(self);
        subscription(self.list_updates.iter().cloned(), move |list: &Vec<ResourceInfo>, is_first| {
            if is_first {
                resources.now().list.clone_from(list);
            }
            list.clone()
        })
    }

    pub(super) fn updates_of(self: &Arc<Self>, uri: &str) -> UpdateStream<Vec<ResourceContent>> {
        let resources = Arc::clone(self);
        let updates =
            self.content_updates.iter().filter(|(of, _)| of == uri).map(|(_, update)| Arc::clone(update));
        subscription(updates, move |Contents { uri, texts }, is_first| {
            let mut now = resources.now();
            if is_first {
                now.contents.insert(uri.clone(), texts.clone());
            }
            now.contents_of(uri, texts)
        })
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Now {
    /// A content for each text, of the media type that the list says.
    fn contents_of(&self, uri: &str, texts: &[String]) -> Vec<ResourceContent> {
        let mime_type =
            self.list.iter().find(|info| info.uri == uri).and_then(|info| info.mime_type.as_ref());
        let content = |text: &String| ResourceContent {
            uri: uri.to_owned(),
            mime_type: mime_type.cloned(),
            content: text.clone(),
        };
        texts.iter().map(content).collect()
    }
}
