//! The hooks that come with this crate, one file each.

mod await_inner_loops;
mod classify_feedback;
mod classify_phase_selection;
mod deliver_assignment;
mod enforces_boundaries_from;
mod lint_artifacts;
mod log_entry;
mod notify;
mod post_phase_selection;
mod record_feedback;
mod request_review;
mod set_phase_label;
mod validate_artifacts;
mod verify_tests;

use super::HookRegistry;

impl HookRegistry {
    /// The hooks that come with this crate.
    #[must_use]
    pub fn shipped() -> Self {
        Self::empty()
            .with::<validate_artifacts::ValidateArtifacts>("validate-artifacts")
            .with::<lint_artifacts::LintArtifacts>("lint-artifacts")
            .with::<enforces_boundaries_from::EnforcesBoundariesFrom>("enforces-boundaries-from")
            .with::<post_phase_selection::PostPhaseSelection>("post-phase-selection")
            .with::<classify_phase_selection::ClassifyPhaseSelection>("classify-phase-selection")
            .with::<classify_feedback::ClassifyFeedback>("classify-feedback")
            .with::<record_feedback::RecordFeedback>("record-feedback")
            .with::<await_inner_loops::AwaitInnerLoops>("await-inner-loops")
            .with::<verify_tests::VerifyTests>("verify-tests")
            .with::<set_phase_label::SetPhaseLabel>("set-phase-label")
            .with::<log_entry::LogEntry>("log-entry")
            .with::<request_review::RequestReview>("request-review")
            .with::<notify::Notify>("notify")
            .with::<deliver_assignment::DeliverAssignment>("deliver-assignment")
    }
}
