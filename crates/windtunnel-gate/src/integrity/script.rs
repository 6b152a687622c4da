//! Whether the script of a self-test was consumed exactly.

use windtunnel_api::artifact::trace::ScriptProgress;

use crate::findings::Finding;

/// | script | consumed | violations | finding |
/// |---|---|---|---|
/// | unknown | | | not checked |
/// | known | all | none | passed |
/// | known | fewer | any | the decision before which the agent stopped |
/// | known | more | any | the first decision beyond the script |
/// | known | all | some | the violations |
pub(crate) fn check(script: Option<&ScriptProgress>) -> Finding {
    let Some(script) = script else { return Ok("script: not checked".to_owned()) };
    let ScriptProgress { decisions, consumed, asides, violations } = script;
    if script.is_exact() {
        return Ok(match asides {
            0 => format!("script: {consumed} of {decisions} decisions served"),
            _ => format!(
                "script: {consumed} of {decisions} decisions served, {asides} requests answered aside"
            ),
        });
    }
    let refused = violations.iter().map(|violation| format!("the script was not followed: {violation}"));
    let mut lines: Vec<String> = refused.collect();
    if consumed < decisions {
        lines.push(format!(
            "{}, {}: the agent stopped before decision {}",
            length(*decisions),
            served(*consumed),
            consumed + 1
        ));
    } else if consumed > decisions {
        lines.push(format!(
            "{}, {}: the agent asked for decision {}",
            length(*decisions),
            served(*consumed),
            decisions + 1
        ));
    }
    Err(lines.join("\n"))
}

fn length(decisions: usize) -> String {
    match decisions {
        1 => "the script has 1 decision".to_owned(),
        more => format!("the script has {more} decisions"),
    }
}

fn served(consumed: usize) -> String {
    match consumed {
        0 => "none was served".to_owned(),
        1 => "1 was served".to_owned(),
        more => format!("{more} were served"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_to_be_consumed_exactly() {
        let progress = |decisions, consumed, asides, violations: &[&str]| ScriptProgress {
            decisions,
            consumed,
            asides,
            violations: violations.iter().map(|text| (*text).to_owned()).collect(),
        };
        for (script, expected) in [
            (None, Ok("script: not checked")),
            (Some(progress(3, 3, 0, &[])), Ok("script: 3 of 3 decisions served")),
            (Some(progress(1, 1, 2, &[])), Ok("script: 1 of 1 decisions served, 2 requests answered aside")),
            (
                Some(progress(3, 2, 0, &[])),
                Err("the script has 3 decisions, 2 were served: the agent stopped before decision 3"),
            ),
            (
                Some(progress(1, 0, 0, &[])),
                Err("the script has 1 decision, none was served: the agent stopped before decision 1"),
            ),
            (
                Some(progress(2, 3, 0, &[])),
                Err("the script has 2 decisions, 3 were served: the agent asked for decision 3"),
            ),
            (
                Some(progress(2, 2, 0, &["asked beyond the end"])),
                Err("the script was not followed: asked beyond the end"),
            ),
            (
                Some(progress(2, 1, 0, &["`lookup` is not offered"])),
                Err("the script was not followed: `lookup` is not offered\n\
                     the script has 2 decisions, 1 was served: the agent stopped before decision 2"),
            ),
        ] {
            let found = check(script.as_ref());
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{script:?}");
        }
    }
}
