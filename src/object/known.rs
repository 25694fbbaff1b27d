//! Classes the VM names itself, filled in at boot by `core`.

use super::Class;
use crate::value::{FALSE, NIL, TRUE, Value};
use std::cell::Cell;

/// A class set at boot; `get` before that is a bug of the boot order.
pub struct Known(Cell<Option<Class>>);

impl Known {
    #[inline(always)]
    pub fn get(&self) -> Class {
        match self.0.get() {
            Some(c) => c,
            None => unset(),
        }
    }
    pub fn set(&self, c: Class) {
        self.0.set(Some(c))
    }
    pub fn is_set(&self) -> bool {
        self.0.get().is_some()
    }
}

#[cold]
fn unset() -> ! {
    panic!("a class was used before boot defined it")
}

macro_rules! known { ($($field:ident = $name:literal),+ $(,)?) => {
    pub struct KnownClasses { $(#[doc = $name] pub $field: Known),+ }
    impl KnownClasses {
        #[allow(clippy::new_without_default)]
        pub fn new() -> Self { KnownClasses { $($field: Known(Cell::new(None))),+ } }
        /// By Ruby name, for boot.
        pub fn by_name(&self, name: &str) -> Option<&Known> {
            match name { $($name => Some(&self.$field),)+ _ => None }
        }
        pub fn each(&self, mut f: impl FnMut(Class)) {
            $( if let Some(c) = self.$field.0.get() { f(c) } )+
        }
    }
} }

known! {
    basic_object = "BasicObject", object = "Object", module = "Module", class = "Class", kernel = "Kernel",
    comparable = "Comparable", enumerable = "Enumerable", nil = "NilClass", true_ = "TrueClass", false_ = "FalseClass",
    numeric = "Numeric", integer = "Integer", float = "Float", rational = "Rational", complex = "Complex", math = "Math",
    symbol = "Symbol", string = "String", regexp = "Regexp", match_data = "MatchData", encoding = "Encoding",
    array = "Array", hash = "Hash", range = "Range", struct_ = "Struct", data = "Data", set = "Set", enumerator = "Enumerator", lazy = "Enumerator::Lazy", yielder = "Enumerator::Yielder", chain = "Enumerator::Chain", arithmetic_sequence = "Enumerator::ArithmeticSequence",
    proc = "Proc", method = "Method", unbound_method = "UnboundMethod", binding = "Binding", random = "Random",
    time = "Time", io = "IO", file = "File", dir = "Dir", process = "Process", gc = "GC", object_space = "ObjectSpace", process_status = "Process::Status", marshal = "Marshal", signal = "Signal", file_test = "FileTest", file_stat = "File::Stat", warning = "Warning",
    thread = "Thread", mutex = "Thread::Mutex", queue = "Thread::Queue", sized_queue = "Thread::SizedQueue", condition_variable = "Thread::ConditionVariable", thread_group = "ThreadGroup", fiber = "Fiber", monitor = "Monitor", backtrace_location = "Thread::Backtrace::Location",
    exception = "Exception", standard_error = "StandardError", runtime_error = "RuntimeError", frozen_error = "FrozenError",
    argument_error = "ArgumentError", uncaught_throw_error = "UncaughtThrowError", type_error = "TypeError", name_error = "NameError", no_method_error = "NoMethodError",
    index_error = "IndexError", key_error = "KeyError", stop_iteration = "StopIteration", closed_queue_error = "ClosedQueueError", range_error = "RangeError", float_domain_error = "FloatDomainError",
    zero_division_error = "ZeroDivisionError", local_jump_error = "LocalJumpError", io_error = "IOError", eof_error = "EOFError", regexp_error = "RegexpError",
    fiber_error = "FiberError", thread_error = "ThreadError", system_call_error = "SystemCallError", errno = "Errno", encoding_error = "EncodingError", compatibility_error = "Encoding::CompatibilityError", undefined_conversion_error = "Encoding::UndefinedConversionError", invalid_byte_sequence_error = "Encoding::InvalidByteSequenceError", converter_not_found_error = "Encoding::ConverterNotFoundError",
    no_matching_pattern_error = "NoMatchingPatternError", no_matching_pattern_key_error = "NoMatchingPatternKeyError",
    script_error = "ScriptError", load_error = "LoadError", not_implemented_error = "NotImplementedError", syntax_error = "SyntaxError",
    system_exit = "SystemExit", signal_exception = "SignalException", interrupt = "Interrupt", system_stack_error = "SystemStackError", no_memory_error = "NoMemoryError", security_error = "SecurityError", fatal = "fatal",
}

impl KnownClasses {
    /// Class of a value that is not a pointer.
    #[inline]
    pub fn of_immediate(&self, v: Value) -> Class {
        if v.is_fixnum() {
            self.integer.get()
        } else if v.is_flonum() {
            self.float.get()
        } else if v.is_symbol() {
            self.symbol.get()
        } else {
            match v {
                NIL => self.nil.get(),
                TRUE => self.true_.get(),
                FALSE => self.false_.get(),
                crate::value::ZERO => self.float.get(),
                _ => self.nil.get(),
            }
        }
    }
}
