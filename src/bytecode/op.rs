//! The instruction set, declared once.
//!
//! From this table come the `Op` enum, `TABLE` (disassembler, checker, `minirb --ops`) and the constructors' field
//! checks. `vm/exec.rs` is one exhaustive `match` over `Op`.
//!
//! An instruction is one 64-bit word: `op:8 | x:8 | a:16 | b:16 | c:16`, lowest bits first. `b` and `c` together can be
//! one signed 32-bit field (`imm32`, `jump32`, `lit32`). Registers are 16 bits wide and relative to the frame's base;
//! register 0 is `self`. Jumps count words from the *next* instruction.
//!
//! Ways out when something does not fit: more than 60,000 registers is a SyntaxError of the compiler; literals use a
//! 32-bit index; a compare-and-branch whose distance exceeds 16 bits is emitted as its opposite over a `Jmp`; call
//! sites past 65,535 in one code object start a `SyntaxError` as well (split the method).
//!
//! Every instruction that may push a frame has its result register in `a`: `Return` finds it by decoding the word
//! before the return address.

/// What an operand means; drives the disassembler and the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `a`, `b` or `c`: a register that is read or written (see the doc line).
    Reg,
    /// Start of a call window: the callee's `base` is this register + `HEADER`.
    Window,
    /// small unsigned number in `x`
    X,
    /// unsigned 16-bit number
    Count,
    /// signed 16-bit immediate
    Imm16,
    /// signed 32-bit immediate in `b`,`c`
    Imm32,
    /// signed 16-bit distance
    Jump16,
    /// signed 32-bit distance in `b`,`c`
    Jump32,
    /// index into the literal table, in `b`,`c`
    Lit32,
    /// index into the literal table (a symbol), 16 bits
    Lit16,
    /// index into the call-site table
    Site,
    /// index into the ivar-site table
    Ivar,
    /// index into the constant-site table
    Const,
    /// index into the children (nested code objects)
    Child,
    /// index into the class-definition table
    Class,
    /// index of a variable in an env record
    Env,
    /// index into the once table
    Once,
}

/// Where in the word an operand sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    X,
    A,
    B,
    C,
    BC,
}

/// One row of the manual.
#[derive(Debug)]
pub struct Info {
    pub name: &'static str,
    pub doc: &'static str,
    pub args: &'static [(&'static str, Field, Kind)],
}

macro_rules! opcodes { ($( $(#[doc = $doc:literal])+ $op:ident { $($arg:ident = $field:ident : $kind:ident),* } )+) => {
    #[repr(u8)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Op { $( $(#[doc = $doc])+ $op ),+ }
    /// Every opcode in numeric order.
    pub const TABLE: &[Info] = &[ $( Info { name: stringify!($op), doc: concat!($($doc),+),
        args: &[ $( (stringify!($arg), Field::$field, Kind::$kind) ),* ] } ),+ ];
    const ALL: &[Op] = &[ $( Op::$op ),+ ];
} }

opcodes! {
    /// does nothing
    Nop {}
    /// `dst = src`
    Move { dst = A: Reg, src = B: Reg }
    /// `dst = nil`
    LoadNil { dst = A: Reg }
    /// `dst = true`
    LoadTrue { dst = A: Reg }
    /// `dst = false`
    LoadFalse { dst = A: Reg }
    /// `dst = imm` (an Integer)
    LoadInt { dst = A: Reg, imm = BC: Imm32 }
    /// `dst = literal` (an immutable one: number, symbol, frozen string, rational, ...)
    LoadLit { dst = A: Reg, lit = BC: Lit32 }
    /// `dst = a new String with the literal's bytes`
    LoadStr { dst = A: Reg, lit = BC: Lit32 }

    /// `dst = variable` of the env record `level` scopes up (0: this frame's own)
    GetUp { dst = A: Reg, level = X: X, var = B: Env }
    /// `variable = src`, `level` scopes up
    SetUp { src = A: Reg, level = X: X, var = B: Env }
    /// `dst = variable += rhs` (fused; calls `+` when it is not plain numbers)
    UpAdd { dst = A: Reg, level = X: X, var = B: Env, rhs = C: Reg }
    /// `dst = variable += imm`
    UpAddInt { dst = A: Reg, level = X: X, var = B: Env, imm = C: Imm16 }

    /// `dst = self.@name`
    GetIvar { dst = A: Reg, ivar = B: Ivar }
    /// `self.@name = src`
    SetIvar { src = A: Reg, ivar = B: Ivar }
    /// `dst = $name`
    GetGvar { dst = A: Reg, name = BC: Lit32 }
    /// `$name = src`
    SetGvar { src = A: Reg, name = BC: Lit32 }
    /// `dst = @@name`
    GetCvar { dst = A: Reg, name = BC: Lit32 }
    /// `@@name = src`
    SetCvar { src = A: Reg, name = BC: Lit32 }
    /// `dst = Path::To::Constant`, cached; the site says whether it starts at the lexical scope or at Object
    GetConst { dst = A: Reg, site = B: Const }
    /// `dst = scope::Name`
    GetConstFrom { dst = A: Reg, scope = B: Reg, name = C: Lit16 }
    /// `Name = src` in the lexically enclosing class (`x` = 0), `::Name` (`x` = 1) or `scope::Name` (`x` = 2)
    SetConst { src = A: Reg, how = X: X, scope = B: Reg, name = C: Lit16 }
    /// `dst = $~`-family: `what` 0: `$~`, 1: `` $& ``, 2: `` $` ``, 3: `$'`, 4: `$+`, 5: `$n` with n in `n`
    GetMatch { dst = A: Reg, what = X: X, n = B: Count }

    /// `dst = [src, src+1, ...]` (n of them)
    NewArray { dst = A: Reg, src = B: Reg, n = C: Count }
    /// `array << src` on an array the compiler made itself
    ArrayPush { array = A: Reg, src = B: Reg }
    /// `array.concat(src converted as a splat does)` on an array the compiler made itself
    ArrayCat { array = A: Reg, src = B: Reg }
    /// `dst = [*src]`, always a fresh array
    Splat { dst = A: Reg, src = B: Reg }
    /// `dst = {src => src+1, ...}` (n pairs)
    NewHash { dst = A: Reg, src = B: Reg, n = C: Count }
    /// `hash[key] = value` on a hash the compiler made itself
    HashSet { hash = A: Reg, key = B: Reg, value = C: Reg }
    /// `hash.update(**src)` on a hash the compiler made itself (nil is nothing; to_hash is called)
    HashCat { hash = A: Reg, src = B: Reg }
    /// `dst = lo..hi` (`excl` = 1: `...`)
    NewRange { dst = A: Reg, excl = X: X, lo = B: Reg, hi = C: Reg }
    /// `dst = src.to_s` as interpolation does it (a String is itself)
    ToS { dst = A: Reg, src = B: Reg }
    /// `dst = src + src+1 + ...` : n strings joined into a new one
    Concat { dst = A: Reg, src = B: Reg, n = C: Count }
    /// `dst = src.to_sym` (src is a String the compiler made)
    Intern { dst = A: Reg, src = B: Reg }
    /// `dst = Regexp from the String src`, `flags`: 1 i, 2 x, 4 m, 16 fixed encoding, 32 none
    NewRegexp { dst = A: Reg, flags = X: X, src = B: Reg }
    /// `dst = the once slot and jump`, when it was set before
    OnceGet { dst = A: Reg, once = B: Once, to = C: Jump16 }
    /// fills the once slot
    OnceSet { src = A: Reg, once = B: Once }
    /// `dst = lambda of the child code object`, capturing this frame
    NewLambda { dst = A: Reg, child = B: Child }
    /// `dst = this method's block as a Proc, or nil`
    BlockProc { dst = A: Reg }
    /// `dst = block_given?`
    BlockGiven { dst = A: Reg }

    /// go on at `to`; a backward jump is a safepoint
    Jmp { to = BC: Jump32 }
    /// continue at `to` if `cond` is truthy
    BrIf { cond = A: Reg, to = BC: Jump32 }
    /// continue at `to` if `cond` is nil or false
    BrUnless { cond = A: Reg, to = BC: Jump32 }
    /// continue at `to` if `cond` is nil
    BrNil { cond = A: Reg, to = BC: Jump32 }
    /// continue at `to` if `cond` is not the "argument not given" mark (keyword defaults)
    BrGiven { cond = A: Reg, to = BC: Jump32 }
    /// if `lhs < rhs` continue at `to`
    BrLt { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// if `lhs <= rhs` continue at `to`
    BrLe { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// if `lhs > rhs` continue at `to`
    BrGt { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// if `lhs >= rhs` continue at `to`
    BrGe { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// if `lhs == rhs` continue at `to`
    BrEq { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// unless `lhs < rhs` continue at `to`
    BrNotLt { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// unless `lhs <= rhs` continue at `to`
    BrNotLe { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// unless `lhs > rhs` continue at `to`
    BrNotGt { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// unless `lhs >= rhs` continue at `to`
    BrNotGe { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// unless `lhs == rhs` continue at `to` (also `!=` in conditions, when `!=` is not redefined)
    BrNotEq { lhs = A: Reg, rhs = B: Reg, to = C: Jump16 }
    /// if `lhs < imm` continue at `to`
    BrLtInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }
    /// if `lhs <= imm` continue at `to`
    BrLeInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }
    /// if `lhs > imm` continue at `to`
    BrGtInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }
    /// if `lhs >= imm` continue at `to`
    BrGeInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }
    /// if `lhs == imm` continue at `to`
    BrEqInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }
    /// unless `lhs < imm` continue at `to`
    BrNotLtInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }
    /// unless `lhs <= imm` continue at `to`
    BrNotLeInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }
    /// unless `lhs > imm` continue at `to`
    BrNotGtInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }
    /// unless `lhs >= imm` continue at `to`
    BrNotGeInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }
    /// unless `lhs == imm` continue at `to`
    BrNotEqInt { lhs = A: Reg, imm = B: Imm16, to = C: Jump16 }

    /// `dst = lhs + rhs`
    Add { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs - rhs`
    Sub { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs * rhs`
    Mul { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs / rhs`
    Div { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs % rhs`
    Mod { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs + imm`
    AddInt { dst = A: Reg, lhs = B: Reg, imm = C: Imm16 }
    /// `dst = lhs - imm`
    SubInt { dst = A: Reg, lhs = B: Reg, imm = C: Imm16 }
    /// `dst = lhs < rhs`
    Lt { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs <= rhs`
    Le { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs > rhs`
    Gt { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs >= rhs`
    Ge { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs == rhs`
    Eq { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs != rhs`
    Neq { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs & rhs`
    BitAnd { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs | rhs`
    BitOr { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs ^ rhs`
    BitXor { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs << rhs`
    Shl { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = lhs >> rhs`
    Shr { dst = A: Reg, lhs = B: Reg, rhs = C: Reg }
    /// `dst = -src` (calls `-@`)
    Neg { dst = A: Reg, src = B: Reg }
    /// `dst = !src`
    Not { dst = A: Reg, src = B: Reg }
    /// `dst = recv[index]`
    Aref { dst = A: Reg, recv = B: Reg, index = C: Reg }
    /// `recv[index] = value` (the expression's value is `value`, no result)
    Aset { recv = A: Reg, index = B: Reg, value = C: Reg }
    /// `dst = pattern === value`; `pattern` an Array taken as a splat when `splat` = 1: true if any element matches
    CaseEq { dst = A: Reg, splat = X: X, pattern = B: Reg, value = C: Reg }

    /// `dst = recv.name(args)`: plain positional arguments. Receiver at `window+HEADER`, then the arguments
    Send { dst = A: Reg, window = B: Window, site = C: Site }
    /// as Send, with the site's literal block
    SendBlk { dst = A: Reg, window = B: Window, site = C: Site }
    /// as Send, any shape (see `SiteFlags`): splat array, keyword hash, block argument, literal block
    SendX { dst = A: Reg, window = B: Window, site = C: Site }
    /// `super(args)`: any shape; the receiver slot is filled with self
    Super { dst = A: Reg, window = B: Window, site = C: Site }
    /// `yield args`, plain positional arguments from `window+HEADER+1` (slot `window+HEADER` is filled by the VM)
    Yield { dst = A: Reg, window = B: Window, argc = C: Count }
    /// `yield`, any shape
    YieldX { dst = A: Reg, window = B: Window, site = C: Site }
    /// leave the frame with `src` (methods: return; blocks: next; lambdas: both)
    Return { src = A: Reg }
    /// as Return, in a code object with an env record: detaches an escaped one
    ReturnEnv { src = A: Reg }
    /// `return` inside a block: leaves the home method (or the enclosing lambda), running ensures on the way
    ReturnFar { src = A: Reg }
    /// `break` inside a block: leaves the call the block was given to
    Break { src = A: Reg }

    /// `dst = $!`
    GetErr { dst = A: Reg }
    /// `$! = src`
    SetErr { src = A: Reg }
    /// goes on with the unwinding whose token a catch entry put in `src`
    Rethrow { src = A: Reg }
    /// `dst = does the exception in src match the class (or any of the Array when splat = 1) in klass`
    RescueMatch { dst = A: Reg, splat = X: X, exc = B: Reg, klass = C: Reg }

    /// destructures `src` into registers `dst..`: `pre` of them, one array if `x` & 1, then `post`; counts in c: `pre | post << 8`
    Expand { dst = A: Reg, splat = X: X, src = B: Reg, counts = C: Count }
    /// `dst = src's length` (an Array the compiler checked)
    ArrayLen { dst = A: Reg, src = B: Reg }
    /// `dst = src[i]` with i counted from the end when negative (an Array the compiler checked)
    ArrayAt { dst = A: Reg, src = B: Reg, i = C: Imm16 }
    /// `dst = src[from, len]` (an Array): from in `c` low byte, elements dropped at the end in `c` high byte
    ArrayMid { dst = A: Reg, src = B: Reg, cut = C: Count }
    /// `dst = src.deconstruct` checked and, for a pattern match, nil if `src` does not respond to it
    Deconstruct { dst = A: Reg, src = B: Reg }
    /// `dst = src.deconstruct_keys(keys)` checked, dup'ed when `dup` = 1; nil if it does not respond
    DeconstructKeys { dst = A: Reg, dup = X: X, src = B: Reg, keys = C: Reg }
    /// `dst = hash[key]` (`key` a symbol literal), or the "not given" mark when absent; deleted from it when `delete` = 1
    HashFetch { dst = A: Reg, delete = X: X, hash = B: Reg, key = C: Lit16 }
    /// `dst = hash.empty?` (a Hash the compiler checked)
    HashEmpty { dst = A: Reg, hash = B: Reg }
    /// raises NoMatchingPatternError for `src` (NoMatchingPatternKeyError when `key` = 1)
    NoMatch { src = A: Reg, key = X: X }

    /// `dst = :name`, defining the child as a method of the current definition target
    DefMethod { dst = A: Reg, name = B: Lit16, child = C: Child }
    /// `dst = :name`, defining the child on the singleton class of `recv`; the child's name is used
    DefSingleton { dst = A: Reg, recv = B: Reg, child = C: Child }
    /// opens a class, module or singleton class and runs its body: `regs` = scope, `regs+1` = superclass
    DefClass { dst = A: Reg, regs = B: Reg, class = C: Class }
    /// `alias new old` (symbols in registers)
    Alias { new = A: Reg, old = B: Reg }
    /// `alias $new $old`
    AliasGvar { new = B: Lit16, old = C: Lit16 }
    /// `undef name` (symbol in a register)
    Undef { name = A: Reg }
    /// `dst = is it defined`, a boolean; `what` as in `DefinedKind`; `recv` if it needs one
    Defined { dst = A: Reg, what = X: X, recv = B: Reg, name = C: Lit16 }
    /// registers the Proc in `src` to run at exit
    AtExit { src = A: Reg }
    /// `dst = is the Integer/Array/... core operator of this prelude op usable on src` (prelude only): `what` as in `PreludeKind`
    PreludeIs { dst = A: Reg, what = X: X, src = B: Reg }
    /// locks the Mutex in `m` (prelude only: the fast half of synchronize)
    MutexLock { m = A: Reg }
    /// unlocks the Mutex in `m`
    MutexUnlock { m = A: Reg }

    /// as Send with `self` as the receiver: the VM fills the slot `window+HEADER`
    SendSelf { dst = A: Reg, window = B: Window, site = C: Site }
    /// `dst = array[index]` by the built-in rule: nil out of range, negative from the end (both checked by the compiler or prelude)
    ArrayGet { dst = A: Reg, array = B: Reg, index = C: Reg }
    /// `dst = $_` of the home scope
    GetLine { dst = A: Reg }
    /// `$_ = src` in the home scope
    SetLine { src = A: Reg }
    /// `$~ = src` (a MatchData or nil, else TypeError) in the home scope
    SetMatch { src = A: Reg }
    /// `dst = a copy of the literal Array`
    DupArray { dst = A: Reg, lit = BC: Lit32 }
    /// `dst = a copy of the literal Hash`
    DupHash { dst = A: Reg, lit = BC: Lit32 }
    /// continue at `to` if `lit === value`, the literal being a Symbol, nil, true or false (identity)
    BrIs { value = A: Reg, lit = B: Lit16, to = C: Jump16 }
    /// continue at `to` unless `lit === value`
    BrIsNot { value = A: Reg, lit = B: Lit16, to = C: Jump16 }
    /// `dst = recv.name()`: as Send without arguments, the receiver in any register. The window is above the frame's registers
    Send0 { dst = A: Reg, recv = B: Reg, site = C: Site }
    /// `dst = recv[imm]`
    ArefInt { dst = A: Reg, recv = B: Reg, imm = C: Imm16 }
    /// raises NoMatchingPatternError (or ...KeyError) for `src`, saying which test failed: `why` as in `NoMatchKind`, on
    /// the value in `x`; `c` is a register, a count or a literal accordingly
    NoMatchWhy { src = A: Reg, why = X: X, x = B: Reg, c = C: Count }
}

/// What `Defined` asks.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinedKind {
    Ivar,
    Gvar,
    Cvar,
    /// lexical constant
    Const,
    /// `recv::Name`
    ConstFrom,
    /// a method callable on self
    FuncMethod,
    /// `recv.name`, public
    Method,
    Yield,
    Super,
    /// `$~`, `$1`...: name is a LoadLit of the number or the byte
    NthRef,
    BackRef,
}

/// Why a lone pattern did not match.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMatchKind {
    /// `x === (register c)` was false
    Value,
    /// the array in `x` has another length than `c`
    Length,
    /// it is shorter than `c`
    LengthAtLeast,
    /// `x` has no `deconstruct`
    NoDeconstruct,
    /// no place in the array in `x` fits a find pattern
    Find,
    /// `x` has no `deconstruct_keys`
    NoDeconstructKeys,
    /// the hash in `x` lacks the key (literal c)
    Key,
    /// the hash in `x` should be empty
    NotEmpty,
    /// what is left of it should be empty
    RestNotEmpty,
    /// the guard was false
    Guard,
}

impl NoMatchKind {
    /// From the `x` field of an instruction.
    pub fn from_u8(n: u8) -> NoMatchKind {
        use NoMatchKind::*;
        [Value, Length, LengthAtLeast, NoDeconstruct, Find, NoDeconstructKeys, Key, NotEmpty, RestNotEmpty, Guard]
            [(n as usize).min(9)]
    }
}

/// What `PreludeIs` asks.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreludeKind {
    Fixnum,
    Array,
}

/// One instruction word.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ins(pub u64);

impl Ins {
    pub fn new(op: Op, x: u8, a: u16, b: u16, c: u16) -> Ins {
        Ins(op as u64 | (x as u64) << 8 | (a as u64) << 16 | (b as u64) << 32 | (c as u64) << 48)
    }
    /// `b` and `c` as one signed number.
    pub fn wide(op: Op, x: u8, a: u16, imm: i32) -> Ins {
        Ins(op as u64 | (x as u64) << 8 | (a as u64) << 16 | (imm as u32 as u64) << 32)
    }
    #[inline(always)]
    pub fn op(self) -> Op {
        // SAFETY: words are only made by the constructors above from an `Op`; the checker rejects anything else.
        unsafe { std::mem::transmute::<u8, Op>(self.0 as u8) }
    }
    #[inline(always)]
    pub fn x(self) -> u8 {
        (self.0 >> 8) as u8
    }
    #[inline(always)]
    pub fn a(self) -> usize {
        (self.0 >> 16) as u16 as usize
    }
    #[inline(always)]
    pub fn b(self) -> usize {
        (self.0 >> 32) as u16 as usize
    }
    #[inline(always)]
    pub fn c(self) -> usize {
        (self.0 >> 48) as usize
    }
    #[inline(always)]
    pub fn simm_b(self) -> i64 {
        (self.0 >> 32) as u16 as i16 as i64
    }
    #[inline(always)]
    pub fn simm_c(self) -> i64 {
        (self.0 as i64) >> 48
    }
    #[inline(always)]
    pub fn imm32(self) -> i64 {
        (self.0 as i64) >> 32
    }
    /// The opcode's row.
    pub fn info(self) -> &'static Info {
        &TABLE[self.0 as u8 as usize]
    }
    /// Decodes a byte that may not be an opcode.
    pub fn checked_op(self) -> Option<Op> {
        ALL.get(self.0 as u8 as usize).copied()
    }
}

/// Words below `base` that every frame has; see `vm/frame.rs` for what they hold.
pub const HEADER: u16 = 10;
/// Words at the start of an env record, before its variables.
pub const ENV_HEADER: u16 = 2;
