//! How a request for permission is answered.

use agent_client_protocol::v1::schema::{PermissionOption, PermissionOptionId, PermissionOptionKind};
use windtunnel_api::scenario::permission::PermissionAnswer;
use windtunnel_gate::{PermissionRequest, Permissions};

/// The scenario's rules, and the runtime's answer where none of them matches.
#[derive(Debug)]
pub(super) struct Policy {
    rules: Permissions,
    otherwise: PermissionAnswer,
}

impl Policy {
    pub(super) fn new(rules: Permissions, otherwise: PermissionAnswer) -> Self {
        Self { rules, otherwise }
    }

    /// The answer to a request.
    pub(super) fn answer(&self, request: &PermissionRequest<'_>) -> PermissionAnswer {
        self.rules.answer(request).unwrap_or(self.otherwise)
    }
}

/// The option that says an answer, among those that the agent offers.
///
/// | answer | offered | chosen |
/// |---|---|---|
/// | allow | `allow_once` | the first of it |
/// | allow | only `allow_always` | the first of it |
/// | reject | `reject_once` | the first of it |
/// | reject | only `reject_always` | the first of it |
/// | allow, reject | none of its kind | none: the turn is cancelled |
/// | cancel | any | none: the turn is cancelled |
pub(super) fn choose(answer: PermissionAnswer, offered: &[PermissionOption]) -> Option<PermissionOptionId> {
    let kinds = match answer {
        PermissionAnswer::Allow => [PermissionOptionKind::AllowOnce, PermissionOptionKind::AllowAlways],
        PermissionAnswer::Reject => [PermissionOptionKind::RejectOnce, PermissionOptionKind::RejectAlways],
        PermissionAnswer::Cancel => return None,
    };
    let first = |kind| offered.iter().find(|option| option.kind == kind);
    kinds.into_iter().find_map(first).map(|option| option.option_id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_option_of_the_kind_is_chosen() {
        use PermissionAnswer::{Allow, Cancel, Reject};
        use PermissionOptionKind::{AllowAlways, AllowOnce, RejectAlways, RejectOnce};
        let table: [(PermissionAnswer, &[PermissionOptionKind], Option<usize>); 8] = [
            (Allow, &[AllowAlways, AllowOnce, RejectOnce, AllowOnce], Some(1)),
            (Allow, &[RejectOnce, AllowAlways], Some(1)),
            (Reject, &[AllowOnce, RejectAlways, RejectOnce], Some(2)),
            (Reject, &[AllowOnce, RejectAlways], Some(1)),
            (Allow, &[RejectOnce], None),
            (Reject, &[AllowOnce, AllowAlways], None),
            (Reject, &[], None),
            (Cancel, &[AllowOnce, RejectOnce], None),
        ];
        for (answer, kinds, expected) in table {
            let option = |(index, kind): (usize, &PermissionOptionKind)| {
                PermissionOption::new(index.to_string(), "Sure", *kind)
            };
            let offered: Vec<_> = kinds.iter().enumerate().map(option).collect();
            let chosen = choose(answer, &offered).map(|id| id.to_string());
            assert_eq!(chosen, expected.map(|index| index.to_string()), "{answer:?} {kinds:?}");
        }
    }
}
