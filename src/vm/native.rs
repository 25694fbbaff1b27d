//! How native methods look: their signature, their arguments, and the table at the top of each class's file.

use super::{Vm, frame};
use crate::object::{Hsh, Proc, RHash};
use crate::value::{NIL, Ruby, Value};

/// A native method. `this` and `args` stay rooted in the caller's frame for the whole call.
pub type Native = fn(vm: Vm, this: Value, args: Args) -> Ruby;
/// Body of a native Proc; `data` is the value it was made with.
pub type ProcFn = fn(vm: Vm, data: Value, args: Args) -> Ruby;
/// Makes an uninitialised instance of `class` (`allocate`).
pub type AllocFn = fn(vm: Vm, class: crate::object::Class) -> Ruby;

/// Arguments of a native call. They lie in the native frame's window on the value stack.
#[derive(Clone, Copy)]
pub struct Args {
    /// the native frame's base: `base[0]` is self, `base[1..]` the arguments
    base: *const Value,
    argc: u32,
    /// the last of `argc` values is the keyword Hash
    kw: bool,
}

/// A block given to a call: nothing but a word, valid while the call it was given to runs. `to_proc` makes it last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block(pub(super) Value);

impl Args {
    /// # Safety
    /// `base` is a native frame's base with `argc` values behind `base[0]`; `kw` only if the last one is a Hash.
    #[inline(always)]
    pub(super) unsafe fn new(base: *const Value, argc: usize, kw: bool) -> Args {
        Args { base, argc: argc as u32, kw }
    }
    /// Positional arguments given.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.argc as usize - self.kw as usize
    }
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// Argument `i`, if given.
    #[inline(always)]
    pub fn get(self, i: usize) -> Option<Value> {
        // SAFETY: in bounds of the window (`new`).
        if i < self.len() { Some(unsafe { *self.base.add(1 + i) }) } else { None }
    }
    /// Argument `i`, nil when not given.
    #[inline(always)]
    pub fn or_nil(self, i: usize) -> Value {
        self.get(i).unwrap_or(NIL)
    }
    /// All positional arguments.
    #[inline(always)]
    pub fn slice(self) -> &'static [Value] {
        // SAFETY: the window outlives the call, and nobody keeps the slice longer (values in it are rooted there).
        unsafe { std::slice::from_raw_parts(self.base.add(1), self.len()) }
    }
    /// The keywords, for methods declared `kw`/`kwrest`.
    pub fn keywords(self) -> Option<Hsh> {
        if !self.kw {
            return None;
        }
        // SAFETY: in bounds (`new`).
        unsafe { *self.base.add(self.argc as usize) }.as_hash()
    }
    /// Positional arguments, and the keyword Hash as a last one if there is one (for passing on with `send`).
    pub fn all(self) -> &'static [Value] {
        // SAFETY: as `slice`.
        unsafe { std::slice::from_raw_parts(self.base.add(1), self.argc as usize) }
    }
    pub fn has_keywords(self) -> bool {
        self.kw
    }
    /// One keyword's value, by name.
    pub fn keyword(self, vm: Vm, name: &str) -> Ruby<Option<Value>> {
        match self.keywords() {
            Some(h) => h.get(&vm, Value::symbol(vm.intern(name))),
            None => Ok(None),
        }
    }
    /// Raises ArgumentError for keywords other than these.
    pub fn only_keywords(self, vm: Vm, known: &[&str]) -> Ruby<()> {
        let Some(h) = self.keywords() else { return Ok(()) };
        for i in 0..h.slots() {
            if let Some((k, _)) = h.entry(i) {
                let ok = k.as_symbol().is_some_and(|s| known.iter().any(|n| n.as_bytes() == vm.symbols.bytes(s)));
                if !ok {
                    let k = vm.inspect(k)?;
                    return Err(vm.arg_error(&format!("unknown keyword: {}", k.text())));
                }
            }
        }
        Ok(())
    }
    /// The block given to this call.
    #[inline(always)]
    pub fn block(self) -> Option<Block> {
        // SAFETY: the header below a native frame's base is initialised (`new`).
        let b = unsafe { *self.base.sub(frame::BLOCK) };
        if b == NIL { None } else { Some(Block(b)) }
    }
    /// The block as a Proc, nil if none was given.
    pub fn block_proc(self, vm: Vm) -> Value {
        self.block().map_or(NIL, |b| b.to_proc(vm).value())
    }
}

impl Block {
    /// A Proc as a block.
    pub fn of(p: Proc) -> Block {
        Block(p.value())
    }
    /// The Proc this block is; the enclosing scopes move to the heap.
    pub fn to_proc(self, vm: Vm) -> Proc {
        vm.block_to_proc(self)
    }
}

/// Keys of a Hash as Ruby compares them.
impl crate::object::HashKey for Vm {
    fn hash(&self, key: Value) -> Ruby<u64> {
        self.hash_of(key)
    }
    fn eql(&self, a: Value, b: Value) -> Ruby<bool> {
        Vm::eql(*self, a, b)
    }
}

/// Arity of a native method.
#[derive(Clone, Copy)]
pub struct Arity {
    pub min: i16,
    /// -1: any number
    pub max: i16,
    pub kw: bool,
}

/// The words used in method tables.
pub mod arity {
    use super::Arity;
    /// exactly n
    pub const fn req(n: i16) -> Arity {
        Arity { min: n, max: n, kw: false }
    }
    /// `min` to `max`
    pub const fn opt(min: i16, max: i16) -> Arity {
        Arity { min, max, kw: false }
    }
    /// `min` or more
    pub const fn rest(min: i16) -> Arity {
        Arity { min, max: -1, kw: false }
    }
    /// `min` to `max`, and keywords (`args.keywords()`)
    pub const fn kw(min: i16, max: i16) -> Arity {
        Arity { min, max, kw: true }
    }
    /// `min` or more, and keywords
    pub const fn kwrest(min: i16) -> Arity {
        Arity { min, max: -1, kw: true }
    }
}

/// One row: names (the first is the original, the others aliases), arity, function, and `scope`:
/// "" public, "private", "protected", "self" singleton, "module_fn" both private and singleton.
pub struct MethodDef {
    pub names: &'static [&'static str],
    pub arity: Arity,
    pub f: Native,
    pub scope: &'static str,
}

/// One class or module as its file declares it.
pub struct ClassDef {
    pub name: &'static str,
    /// `None`: a module
    pub superclass: Option<&'static str>,
    pub methods: &'static [MethodDef],
}

/// `class! { "Name" < "Super"; rows }` or `class! { module "Name"; rows }` defines `pub const CLASS: ClassDef`.
/// A row is `scope? ["name", ...] arity(n) => function;`.
#[macro_export]
macro_rules! class {
    ($name:literal < $super:literal; $($rest:tt)*) => { $crate::class!(@ $name, Some($super); $($rest)*); };
    (module $name:literal; $($rest:tt)*) => { $crate::class!(@ $name, None; $($rest)*); };
    (@ $name:literal, $super:expr; $( $($scope:ident)? [ $($m:literal),+ ] $arity:ident ( $($n:expr),* ) => $f:expr ; )*) => {
        /// This file's class and its method table.
        pub const CLASS: $crate::vm::native::ClassDef = $crate::vm::native::ClassDef {
            name: $name,
            superclass: $super,
            methods: &[ $( $crate::vm::native::MethodDef {
                names: &[ $($m),+ ],
                arity: $crate::vm::native::arity::$arity($($n),*),
                f: $f,
                scope: concat!($(stringify!($scope))?),
            } ),* ],
        };
    };
}

impl RHash {
    /// `hash[key]` without the default, honouring `compare_by_identity`.
    pub fn get_ruby(&self, vm: Vm, key: Value) -> Ruby<Option<Value>> {
        if self.compare_by_identity.get() { self.get(&Identity, key) } else { self.get(&vm, key) }
    }
}

/// Keys compared by identity.
pub struct Identity;
impl crate::object::HashKey for Identity {
    fn hash(&self, key: Value) -> Ruby<u64> {
        Ok(key.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
    }
    fn eql(&self, a: Value, b: Value) -> Ruby<bool> {
        Ok(a == b)
    }
}
