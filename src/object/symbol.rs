//! Symbols: interned byte strings with an encoding. Never freed.

use super::Enc;
use crate::value::Sym;
use std::cell::RefCell;
use std::collections::HashMap;

#[derive(Default)]
struct Tables {
    names: Vec<(&'static [u8], Enc)>,
    ids: HashMap<(&'static [u8], Enc), Sym>,
}

pub struct Symbols(RefCell<Tables>);

macro_rules! symbols { ($($name:ident = $text:literal),+ $(,)?) => {
    /// Symbols the VM names itself, interned first and in this order.
    pub mod sym {
        use crate::value::Sym;
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($name),+ }
        $( #[doc = concat!("`", $text, "`")] pub const $name: Sym = Sym(Index::$name as u32); )+
    }
    const PREDEFINED: &[&str] = &[$($text),+];
} }

symbols! {
    EMPTY = "",
    INITIALIZE = "initialize", METHOD_MISSING = "method_missing", RESPOND_TO = "respond_to?",
    RESPOND_TO_MISSING = "respond_to_missing?", TO_S = "to_s", TO_STR = "to_str", TO_A = "to_a", TO_ARY = "to_ary",
    TO_H = "to_h", TO_HASH = "to_hash", TO_PROC = "to_proc", TO_I = "to_i", TO_INT = "to_int", TO_F = "to_f", TO_R = "to_r",
    TO_C = "to_c", TO_SYM = "to_sym", TO_PATH = "to_path", TO_IO = "to_io", TO_ENUM = "to_enum", INSPECT = "inspect", HASH = "hash", EQL = "eql?", EQ = "==",
    NEQ = "!=", EQQ = "===", MATCH = "=~", NMATCH = "!~", CMP = "<=>", PLUS = "+", MINUS = "-", MUL = "*", DIV = "/", MOD = "%", POW = "**",
    LT = "<", LE = "<=", GT = ">", GE = ">=", AND = "&", OR = "|", XOR = "^", SHL = "<<", SHR = ">>", AREF = "[]", ASET = "[]=",
    NOT = "!", NEG = "-@", POS = "+@", TILDE = "~", CALL = "call", EACH = "each", NEW = "new", ALLOCATE = "allocate", COERCE = "coerce", SUCC = "succ", SIZE = "size", LENGTH = "length", FIRST = "first", LAST = "last",
    NEXT = "next", DUP = "dup", CLONE = "clone", FREEZE = "freeze", INITIALIZE_COPY = "initialize_copy", INITIALIZE_DUP = "initialize_dup", INITIALIZE_CLONE = "initialize_clone",
    INHERITED = "inherited", INCLUDED = "included", EXTENDED = "extended", PREPENDED = "prepended", APPEND_FEATURES = "append_features", EXTEND_OBJECT = "extend_object", PREPEND_FEATURES = "prepend_features",
    METHOD_ADDED = "method_added", METHOD_REMOVED = "method_removed", METHOD_UNDEFINED = "method_undefined", SINGLETON_METHOD_ADDED = "singleton_method_added",
    SINGLETON_METHOD_REMOVED = "singleton_method_removed", SINGLETON_METHOD_UNDEFINED = "singleton_method_undefined",
    CONST_MISSING = "const_missing", CONST_ADDED = "const_added", EXCEPTION = "exception", MESSAGE = "message", DETAILED_MESSAGE = "detailed_message", FULL_MESSAGE = "full_message", BACKTRACE = "backtrace", SET_BACKTRACE = "set_backtrace",
    DECONSTRUCT = "deconstruct", DECONSTRUCT_KEYS = "deconstruct_keys", TO_SET = "to_set", BEGIN = "begin", END = "end", EXCLUDE_END = "exclude_end?", BACKQUOTE = "`",
    PUTS = "puts", WRITE = "write", FULL = "full", KEY = "key", RECEIVER = "receiver", NAME = "name", HIGHLIGHT = "highlight", ORDER = "order", CAUSE = "cause", HALF = "half", BLOCK_GIVEN = "block_given?", LAMBDA = "lambda", PROC = "proc", BINDING = "binding", EVAL = "eval", CLOSE = "close", INITIALIZE_ = "__initialize__", ATTACHED = "__attached__",
    // hidden instance variables (no leading @)
    I_MESSAGE = "__message", I_BACKTRACE = "__backtrace", I_CAUSE = "__cause", I_NAME = "__name", I_RECEIVER = "__receiver", I_KEY = "__key", I_RESULT = "__result", I_STATUS = "__status", I_REASON = "__reason", I_EXIT_VALUE = "__exit_value", I_ARGS = "__args", I_LOCATIONS = "__locations", I_ERRNO = "__errno", I_SIGNO = "__signo",
}

impl Default for Symbols {
    fn default() -> Self {
        Self::new()
    }
}

impl Symbols {
    pub fn new() -> Symbols {
        let s = Symbols(RefCell::default());
        for name in PREDEFINED {
            s.intern(name.as_bytes(), Enc::Utf8);
        }
        s
    }

    /// The symbol with these bytes. All-ASCII names are US-ASCII whatever `enc` says, as in CRuby.
    pub fn intern(&self, name: &[u8], enc: Enc) -> Sym {
        let enc = if name.is_ascii() { Enc::Ascii } else { enc };
        let mut t = self.0.borrow_mut();
        if let Some(&s) = t.ids.get(&(name, enc)) {
            return s;
        }
        let text: &'static [u8] = Box::leak(name.into());
        let s = Sym(t.names.len() as u32);
        t.names.push((text, enc));
        t.ids.insert((text, enc), s);
        s
    }

    /// The symbol if it exists already.
    pub fn find(&self, name: &[u8], enc: Enc) -> Option<Sym> {
        let enc = if name.is_ascii() { Enc::Ascii } else { enc };
        self.0.borrow().ids.get(&(name, enc)).copied()
    }

    pub fn bytes(&self, s: Sym) -> &'static [u8] {
        self.0.borrow().names[s.0 as usize].0
    }
    pub fn enc(&self, s: Sym) -> Enc {
        self.0.borrow().names[s.0 as usize].1
    }
    /// For messages: invalid bytes are replaced.
    pub fn text(&self, s: Sym) -> std::borrow::Cow<'static, str> {
        String::from_utf8_lossy(self.bytes(s))
    }
    pub fn count(&self) -> usize {
        self.0.borrow().names.len()
    }
}
