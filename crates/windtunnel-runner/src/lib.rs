//! The case runner, and one scenario or reference case from start to score
