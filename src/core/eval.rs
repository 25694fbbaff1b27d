//! Text to running code: files, `eval` strings, the prelude. The only place where parser, compiler and VM meet.

use crate::bytecode::iseq::Iseq;
use crate::bytecode::op::ENV_HEADER;
use crate::bytecode::proto::{CodeKind, Place, Proto};
use crate::compile::{CompileOptions, OuterScope};
use crate::object::{Cref, Env, Ref, sym};
use crate::syntax::{ParseOptions, Source};
use crate::value::{NIL, Raised, Ruby, Value};
use crate::vm::Vm;
use crate::vm::call::{ArgRules, Window};
use crate::vm::frame::{self, Frame, H};

/// What became of a text.
pub struct Compiled {
    pub proto: Proto,
    /// where the text behind `__END__` starts
    pub data: Option<u32>,
    pub warnings: Vec<crate::syntax::ast::Warning>,
    /// as a magic comment names it
    pub encoding: Option<String>,
}

/// Parses and compiles; `Err` is the text of a SyntaxError.
pub fn compile_text(source: &Source, parse: &ParseOptions, opts: &CompileOptions) -> Result<Compiled, String> {
    let program = crate::syntax::parse(source, parse).map_err(|ds| {
        let all: Vec<String> = ds.iter().map(|d| d.render(source)).collect();
        all.join("\n")
    })?;
    let line_of = |at: u32| source.line_of(at).max(0) as u32;
    let proto = crate::compile::compile(&program, &line_of, opts).map_err(|es| {
        let all: Vec<String> = es.iter().map(|e| format!("{}:{}: {}", source.name, e.line, e.message)).collect();
        all.join("\n")
    })?;
    let encoding = program.magic.encoding.clone();
    Ok(Compiled { proto, data: program.data_offset, warnings: program.warnings.clone(), encoding })
}

/// Texts remembered by `eval`.
const EVAL_CACHE: usize = 64;

/// What text was compiled to in a scope. Scope and code are roots, so that their addresses are not used again.
struct Evaluated {
    text: Box<[u8]>,
    file: Box<str>,
    line: i32,
    scope: *mut crate::heap::Header,
    code: Ref<Iseq>,
}
#[derive(Default)]
struct EvalCache(std::cell::RefCell<Vec<Option<Evaluated>>>);

impl Vm {
    /// As `compile_text`, on a stack of its own; SyntaxError on failure.
    pub fn compile(
        self,
        source: &Source,
        parse: &ParseOptions,
        opts: &CompileOptions,
    ) -> Ruby<(Ref<Iseq>, Option<u32>)> {
        let small = source.bytes.len() < 4096;
        let done = if small && self.check_native_room(1 << 20) {
            compile_text(source, parse, opts)
        } else {
            match self.sched.on_big_stack(|| compile_text(source, parse, opts)) {
                Ok(done) => done,
                Err(_) => return Err(self.raise(self.classes.no_memory_error.get(), "failed to allocate memory")),
            }
        };
        match done {
            Ok(Compiled { proto, data, warnings, encoding }) => {
                for w in warnings {
                    let verbose = self.config.verbose.get();
                    if verbose == crate::value::TRUE || !w.verbose_only && !verbose.is_nil() {
                        self.warn(&format!("{}:{}: warning: {}", source.name, w.line, w.message))?;
                    }
                }
                let enc = encoding.and_then(|e| super::encoding::lookup(e.as_bytes()));
                match self.link_in(&proto, enc.unwrap_or(crate::object::Enc::Utf8)) {
                    Ok(code) => Ok((code, data)),
                    // A Regexp literal that cannot be compiled is a mistake in the text.
                    Err(r) => match self.pending_exception() {
                        Some(e) if self.class_of(e) == self.classes.regexp_error.get() => {
                            self.take_exception();
                            let text = self.send(e, sym::MESSAGE, &[])?;
                            let text = self.to_s(text)?.text().into_owned();
                            Err(self.syntax_error(&format!("{}: {text}", source.name), &source.name))
                        }
                        _ => Err(r),
                    },
                }
            }
            Err(text) => Err(self.syntax_error(&text, &source.name)),
        }
    }
    fn check_native_room(self, bytes: usize) -> bool {
        crate::vm::exec::stack_pointer() > self.ec().native_limit.get() + bytes
    }
    pub fn syntax_error(self, text: &str, path: &str) -> Raised {
        let e = self.new_exception(self.classes.syntax_error.get(), text);
        let p = self.str(path);
        self.ivar_set(e, self.intern("@path"), p);
        self.raise_exc(e)
    }
    /// Prints a warning through the hook.
    pub fn warn(self, text: &str) -> Ruby<()> {
        match self.hooks.warn.get() {
            Some(f) => f(self, text),
            None => Ok(()),
        }
    }

    /// Runs a file's text at the top level. `name` is what `__FILE__` says.
    pub fn run_text(self, name: &str, bytes: Vec<u8>, main: bool) -> Ruby {
        let source = Source::new(name, bytes);
        let mut opts = CompileOptions::file(name);
        if !main {
            opts.name = "<top (required)>".into();
        }
        let (code, data) = self.compile(&source, &ParseOptions::default(), &opts)?;
        if main && let Some(at) = data {
            self.define_data(name, &source.bytes, at)?;
        }
        self.run_top(code)
    }
    /// Runs top-level code with the main object as self.
    pub fn run_top(self, code: Ref<Iseq>) -> Ruby {
        let cref = Cref::alloc(&self, self.classes.object.get(), NIL, NIL, false);
        cref.visibility.set(1);
        self.run_code(&code, self.main.get(), cref.value(), 0, NIL, frame::F_TOP)
    }

    /// `DATA`: the rest of the script after `__END__`.
    fn define_data(self, name: &str, bytes: &[u8], at: u32) -> Ruby<()> {
        let rest = crate::object::RString::from_bytes(&self, &bytes[at as usize..], crate::object::Enc::Utf8);
        let class = self.classes.file.get().value();
        let path = self.str(name);
        let io =
            self.send_if_responds(class, self.intern("__open_data"), &[path, Value::fixnum(at as i64), rest.value()])?;
        if let Some(io) = io {
            self.set_const(self.classes.object.get(), self.intern("DATA"), io);
        }
        Ok(())
    }

    /// The scope of the Ruby code that called the running native, moved to the heap (for `binding`, `eval`).
    pub fn caller_env(self) -> Ruby<Ref<Env>> {
        match self.ec().ruby_frame() {
            Some(f) => Ok(self.capture(f)),
            None => Err(self.runtime_error("Can't create Binding from C level Proc")),
        }
    }

    /// Evaluates text in a scope. Gives the result and the scope as seen afterwards (new variables included).
    /// `this`/`me` replace what the scope has (instance_eval, class_eval).
    pub fn eval_in(
        self,
        bytes: &[u8],
        env: Ref<Env>,
        file: &str,
        line: i32,
        this: Option<Value>,
        me: Option<Value>,
    ) -> Ruby<(Value, Ref<Env>)> {
        let code = self.eval_code(bytes, env, file, line)?;
        let me = me.unwrap_or(env.me.get());
        let this = this.unwrap_or(env.this.get());
        let ec = self.ec();
        let (prev, base) = if ec.fp.get().is_null() {
            // SAFETY: the bottom of the value stack.
            (std::ptr::null_mut(), unsafe { ec.stack_base.get().add(H) })
        } else {
            // SAFETY: `enter_code` checks the stack before it writes past self.
            (ec.fp.get(), unsafe { ec.frame().top().add(H) })
        };
        self.check_stack(base, 2 * H)?;
        // SAFETY: there is room.
        unsafe { *base = this };
        let place = self.save_place();
        let w = Window {
            base,
            argc: 0,
            kw: false,
            block: env.block.get(),
            ret: ec.pc.get() as u64 | frame::RET_ENTRY,
            prev,
        };
        let me = if me.is_nil() { 0 } else { me.bits() };
        let e = self.enter_code(&code, w, me, env.holder() as u64, frame::F_EVAL, ArgRules::Method)?;
        ec.fp.set(base);
        let after = if code.env.is_some_and(|e| e.vars > 0) { self.capture(Frame(base)) } else { env };
        let v = self.finish(e, base)?;
        self.restore_place(place);
        Ok((v, after))
    }

    /// The code object for `eval`ing text in a scope; the last ones are kept, as loops evaluate the same text again.
    fn eval_code(self, bytes: &[u8], env: Ref<Env>, file: &str, line: i32) -> Ruby<Ref<Iseq>> {
        let cache = self.slot::<EvalCache>();
        let place = (crate::vm::equal::hash_bytes(bytes) as usize ^ line as usize) % EVAL_CACHE;
        if let Some(Some(e)) = cache.0.borrow().get(place)
            && e.scope == env.iseq
            && e.line == line
            && *e.text == *bytes
            && *e.file == *file
        {
            return Ok(e.code);
        }
        let code = self.compile_eval(bytes, env, file, line)?;
        if bytes.len() <= 1024 && code.rest.once.is_empty() {
            let mut entries = cache.0.borrow_mut();
            if entries.is_empty() {
                entries.resize_with(EVAL_CACHE, || None);
                self.add_root(|m| {
                    for e in cache.0.borrow().iter().flatten() {
                        m.cell(e.scope);
                        m.value(e.code.value());
                    }
                });
            }
            entries[place] = Some(Evaluated { text: bytes.into(), file: file.into(), line, scope: env.iseq, code });
        }
        Ok(code)
    }

    fn compile_eval(self, bytes: &[u8], env: Ref<Env>, file: &str, line: i32) -> Ruby<Ref<Iseq>> {
        let source = Source::with_first_line(file, bytes.to_vec(), line);
        let mut outer = Vec::new();
        let mut locals = Vec::new();
        let mut scope = Some(env);
        while let Some(e) = scope {
            let mut vars = Vec::new();
            // SAFETY: an env's code object is alive while the env is.
            let code = unsafe { (e.iseq as *const Iseq).as_ref() };
            if let Some(code) = code {
                for l in &code.rest.locals {
                    if let Place::Env(i) = l.place
                        && (i as usize + ENV_HEADER as usize) < e.len
                    {
                        vars.push((l.name.clone(), i));
                        locals.push(l.name.clone());
                    }
                }
            }
            outer.push(OuterScope { vars });
            scope = e.parent();
        }
        // SAFETY: as above.
        let around = unsafe { (env.iseq as *const Iseq).as_ref() };
        let in_method = around.is_some_and(|c| c.rest.kind != CodeKind::Top && c.rest.kind != CodeKind::Class);
        let in_block = around.is_some_and(|c| c.rest.kind == CodeKind::Block);
        let parse = ParseOptions { locals, in_method, in_block };
        let opts = CompileOptions {
            file: file.into(),
            kind: CodeKind::Eval,
            name: around.map_or("<main>".into(), |c| self.symbols.text(c.rest.name).as_ref().into()),
            outer,
            prelude: false,
            frozen_string_literal: false,
        };
        let (code, _) = self.compile(&source, &parse, &opts)?;
        code.rest.parent.set(env.iseq as *mut Iseq);
        Ok(code)
    }

    /// Compiles and runs a prelude file.
    pub fn run_prelude(self, name: &str, text: &str) {
        let source = Source::new(name, text.as_bytes());
        let opts = CompileOptions { prelude: true, ..CompileOptions::file(name) };
        let code = match self.compile(&source, &ParseOptions::default(), &opts) {
            Ok((code, _)) => code,
            Err(_) => self.prelude_failed(name),
        };
        if self.run_top_public(code).is_err() {
            self.prelude_failed(name)
        }
    }
    fn run_top_public(self, code: Ref<Iseq>) -> Ruby {
        let cref = Cref::alloc(&self, self.classes.object.get(), NIL, NIL, false);
        self.run_code(&code, NIL, cref.value(), 0, NIL, frame::F_TOP)
    }
    fn prelude_failed(self, name: &str) -> ! {
        let text = self
            .take_exception()
            .and_then(|e| self.ivar_get(e, sym::I_MESSAGE))
            .and_then(|m| m.as_str())
            .map_or(String::new(), |s| s.text().into_owned());
        panic!("the prelude file {name} does not run: {text}")
    }
}
