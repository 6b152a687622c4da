//! Scripted model endpoints over real provider wires
