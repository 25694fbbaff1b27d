//! `TrueClass and FalseClass`.

use crate::vm::Vm;

pub fn boot(_vm: Vm) {}
