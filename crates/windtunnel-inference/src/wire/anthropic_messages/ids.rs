//! Ids of calls, on this wire and elsewhere.

/// The id of a call on this wire. It says whether a thinking block led to the call, which then has to come back with it.
pub(super) fn sent(call_id: &str, thought: bool) -> String {
    match (call_id.strip_prefix("call_"), thought) {
        (Some(rest), false) => format!("toolu_{rest}"),
        (Some(rest), true) => format!("toolu_thought_{rest}"),
        (None, _) => call_id.to_owned(),
    }
}

/// The id of the call that an id on this wire stands for.
pub(super) fn received(id: &str) -> String {
    let ours = |prefix| id.strip_prefix(prefix).filter(|rest: &&str| rest.starts_with("wt_"));
    match ours("toolu_thought_").or_else(|| ours("toolu_")) {
        Some(rest) => format!("call_{rest}"),
        None => id.to_owned(),
    }
}

/// Whether a thinking block of ours led to the call with this id.
pub(super) fn is_thought(id: &str) -> bool {
    id.starts_with("toolu_thought_wt_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_calls_come_back_as_they_were_and_are_of_the_letters_that_the_provider_allows() {
        for thought in [false, true] {
            let id = sent("call_wt_3_1", thought);
            assert_eq!((received(&id).as_str(), is_thought(&id)), ("call_wt_3_1", thought), "{id}");
            assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)), "{id}");
        }
    }

    #[test]
    fn ids_that_are_not_ours_stay_as_they_are() {
        for id in ["toolu_01A", "call_wt_1_1", "toolu_thought_x", ""] {
            assert_eq!((received(id).as_str(), is_thought(id)), (id, false));
        }
        assert_eq!(sent("own", true), "own");
    }
}
