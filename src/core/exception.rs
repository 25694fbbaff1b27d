//! `Exception` and the tree of core exceptions.

use crate::class;
use crate::vm::Vm;

/// (name, superclass), parents first.
pub const TREE: &[(&str, &str)] = &[
    ("Exception", "Object"),
    ("NoMemoryError", "Exception"),
    ("ScriptError", "Exception"),
    ("LoadError", "ScriptError"),
    ("NotImplementedError", "ScriptError"),
    ("SyntaxError", "ScriptError"),
    ("SecurityError", "Exception"),
    ("SignalException", "Exception"),
    ("Interrupt", "SignalException"),
    ("SystemExit", "Exception"),
    ("SystemStackError", "Exception"),
    ("fatal", "Exception"),
    ("StandardError", "Exception"),
    ("ArgumentError", "StandardError"),
    ("UncaughtThrowError", "ArgumentError"),
    ("EncodingError", "StandardError"),
    ("FiberError", "StandardError"),
    ("IOError", "StandardError"),
    ("EOFError", "IOError"),
    ("IndexError", "StandardError"),
    ("KeyError", "IndexError"),
    ("StopIteration", "IndexError"),
    ("ClosedQueueError", "StopIteration"),
    ("LocalJumpError", "StandardError"),
    ("NameError", "StandardError"),
    ("NoMethodError", "NameError"),
    ("RangeError", "StandardError"),
    ("FloatDomainError", "RangeError"),
    ("RegexpError", "StandardError"),
    ("RuntimeError", "StandardError"),
    ("FrozenError", "RuntimeError"),
    ("SystemCallError", "StandardError"),
    ("ThreadError", "StandardError"),
    ("TypeError", "StandardError"),
    ("ZeroDivisionError", "StandardError"),
    ("NoMatchingPatternError", "StandardError"),
    ("NoMatchingPatternKeyError", "NoMatchingPatternError"),
];

class! { "Exception" < "Object"; }

pub fn boot(vm: Vm) {
    for (name, superclass) in TREE {
        let above = vm.const_path(superclass);
        vm.define_class(name, above);
    }
    vm.define_table(&CLASS);
}
