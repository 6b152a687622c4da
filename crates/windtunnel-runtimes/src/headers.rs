//! Headers of the settings, which may hold secrets.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use windtunnel_api::Secret;
use windtunnel_child::expand;

/// Headers with their variables filled in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Headers {
    pub(crate) map: HeaderMap,
    pub(crate) secrets: Vec<Secret>,
}

impl Headers {
    /// Fills in `${NAME}` from our environment. An error names the header.
    pub(crate) fn of<'a>(
        templates: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) -> Result<Self, String> {
        let mut headers = Self::default();
        for (name, template) in templates {
            let field = format!("headers.{name}");
            let expanded = expand(template, &field).map_err(|error| error.to_string())?;
            let header =
                HeaderName::try_from(name).map_err(|_| format!("{field}: `{name}` is no header's name"))?;
            let mut value = HeaderValue::try_from(expanded.value.expose())
                .map_err(|_| format!("{field}: the value has characters that no header can hold"))?;
            value.set_sensitive(true);
            headers.map.append(header, value);
            headers.secrets.extend(expanded.secrets);
        }
        Ok(headers)
    }
}
