//! Whole-scheduler tests. They count; they do not time.
use super::*;
use crate::sys::nogvl::{nogvl, nogvl_eager};
use std::cell::RefCell;
use std::rc::Rc;

const SMALL: Sizes = Sizes { native: 64 << 10, values: 16 << 10 };

fn config() -> Config {
    Config {
        thread: SMALL,
        fiber: SMALL,
        big: Sizes { native: 1 << 20, values: 1 << 20 },
        quantum: 1_000_000,
        min_slice: 200_000,
        oracle: Oracle::Fifo,
        stress_switch: false,
        ..Config::default()
    }
}

fn hooks() -> Hooks {
    Hooks { on_switch: |_, _| {}, on_deadlock: |_| panic!("deadlock") }
}

type Body = Box<dyn FnOnce(&Sched)>;

unsafe fn body(sched: &Sched, _: CoroRef, arg: *mut ()) -> Option<CoroRef> {
    // SAFETY: `arg` is from `Box::into_raw` in `go` or `run`.
    let body = unsafe { Box::from_raw(arg.cast::<Body>()) };
    body(sched);
    None
}

fn arg(f: impl FnOnce(&Sched) + 'static) -> *mut () {
    let body: Body = Box::new(f);
    Box::into_raw(Box::new(body)).cast()
}

fn go(sched: &Sched, f: impl FnOnce(&Sched) + 'static) -> ThreadRef {
    sched.spawn(body, arg(f), null_mut()).unwrap()
}

fn finish(sched: &Sched, thread: ThreadRef) {
    assert_eq!(sched.join(thread, Until::Woken), Wake::Woken);
    // SAFETY: `go` gave it to us.
    unsafe { sched.free_thread(thread) };
}

fn run_with(config: Config, hooks: Hooks, f: impl FnOnce(&Sched) + 'static) -> SchedBox {
    let sched = Sched::new(config, hooks, null_mut());
    sched.run(body, arg(f), null_mut()).unwrap();
    sched
}

fn run(f: impl FnOnce(&Sched) + 'static) -> SchedBox {
    run_with(config(), hooks(), f)
}

/// A safepoint.
fn poll(sched: &Sched) -> u32 {
    if sched.interrupt_word().load(Ordering::Relaxed) != 0 { sched.check_interrupts() } else { 0 }
}

fn log<T: 'static>() -> (Rc<RefCell<Vec<T>>>, impl Fn(T) + Clone + 'static) {
    let log = Rc::new(RefCell::new(vec![]));
    let to = log.clone();
    (log, move |x| to.borrow_mut().push(x))
}

fn usleep(us: u64) {
    std::thread::sleep(std::time::Duration::from_micros(us));
}

#[test]
fn sizes() {
    assert_eq!(size_of::<RawMutex>(), 16);
    assert_eq!(size_of::<RawCondvar>(), 8);
    assert_eq!(size_of::<ThreadRef>(), 8);
}

#[test]
fn main_alone_starts_no_worker() {
    let (seen, note) = log();
    let sched = run(move |s| {
        assert_eq!(s.sleep(Until::At(now() + 1_000_000)), Wake::TimedOut);
        nogvl(s, Ubf::Never, || usleep(10));
        nogvl_eager(s, Ubf::Never, || usleep(10));
        note(s.thread_count());
    });
    assert_eq!(*seen.borrow(), [1]);
    assert_eq!(sched.stats.workers.load(Ordering::Relaxed), 0);
    assert_eq!(sched.stats.lost.load(Ordering::Relaxed), 0);
}

#[test]
fn threads_take_turns() {
    let (seen, note) = log();
    run(move |s| {
        let threads: Vec<_> = (0..3)
            .map(|i| {
                let note = note.clone();
                go(s, move |s| {
                    for turn in 0..2 {
                        note((turn, i));
                        s.yield_now();
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|t| finish(s, t));
    });
    assert_eq!(*seen.borrow(), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
}

#[test]
fn ten_thousand_threads() {
    let (seen, note) = log();
    run(move |s| {
        let threads: Vec<_> = (0..10_000)
            .map(|i| {
                let note = note.clone();
                go(s, move |_| note(i))
            })
            .collect();
        assert_eq!(s.coros().count(), 10_001);
        threads.into_iter().for_each(|t| finish(s, t));
        assert_eq!(s.thread_count(), 1);
    });
    assert_eq!(seen.borrow().len(), 10_000);
}

#[test]
fn deadlines_fire_in_order() {
    let (seen, note) = log();
    run(move |s| {
        let start = now();
        let threads: Vec<_> = (0..200u64)
            .map(|i| {
                let note = note.clone();
                let ms = (i * 7919) % 20;
                go(s, move |s| {
                    let at = start + 20_000_000 + ms * 1_000_000;
                    assert_eq!(s.sleep(Until::At(at)), Wake::TimedOut);
                    assert!(now() >= at);
                    note(());
                })
            })
            .collect();
        threads.into_iter().for_each(|t| finish(s, t));
    });
    assert_eq!(seen.borrow().len(), 200);
}

#[test]
fn woken_before_the_deadline() {
    run(|s| {
        let q: &'static WaitQ = Box::leak(Box::default());
        let t = go(s, move |s| {
            assert_eq!(s.park(q, Until::At(now() + 60_000_000_000)), Wake::Woken);
            assert_eq!(s.park(q, Until::At(now() + 1000)), Wake::TimedOut);
            assert!(q.is_empty());
            assert_eq!(s.park(q, Until::Woken), Wake::Interrupted);
        });
        s.yield_now();
        assert!(s.wake_one(q) && !s.wake_one(q));
        s.sleep(Until::At(now() + 3_000_000));
        assert_eq!(t.state(), ThreadState::Parked);
        s.interrupt(t);
        finish(s, t);
    });
}

#[test]
fn interrupts_reach_a_safepoint() {
    run(|s| {
        let t = go(s, |s| {
            while poll(s) & interrupt::THREAD == 0 {}
            assert!(!s.take_interrupt());
        });
        s.yield_now(); // comes back because the quantum of `t` ends
        s.interrupt(t);
        s.interrupt(s.current());
        assert_eq!(poll(s) & interrupt::THREAD, interrupt::THREAD);
        s.raise_bits(1 << 20);
        assert_eq!(poll(s), 1 << 20);
        finish(s, t);
    });
}

#[test]
fn a_mutex_excludes() {
    let m: &'static RawMutex = Box::leak(Box::default());
    let inside: &'static Cell<u32> = Box::leak(Box::default());
    run(move |s| {
        let threads: Vec<_> = (0..50)
            .map(|_| {
                go(s, move |s| {
                    let me = s.current_coro();
                    for _ in 0..20 {
                        assert_eq!(m.lock(s, &me, Until::Woken), Lock::Acquired);
                        assert_eq!(inside.replace(1), 0);
                        s.yield_now();
                        assert!(m.owned_by(&me));
                        inside.set(0);
                        assert!(m.unlock(s, &me));
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|t| finish(s, t));
        assert!(!m.is_locked(s) && m.waiting() == 0);
    });
}

#[test]
fn a_mutex_is_fair() {
    let m: &'static RawMutex = Box::leak(Box::default());
    let counts: &'static [Cell<u32>; 4] = Box::leak(Box::default());
    run(move |s| {
        let threads: Vec<_> = (0..4)
            .map(|i| {
                go(s, move |s| {
                    let me = s.current_coro();
                    // Lets go and takes it again at once, the way a greedy thread does.
                    while counts.iter().map(Cell::get).sum::<u32>() < 4000 {
                        assert_eq!(m.lock(s, &me, Until::Woken), Lock::Acquired);
                        counts[i].set(counts[i].get() + 1);
                        s.yield_now();
                        m.unlock(s, &me);
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|t| finish(s, t));
    });
    assert!(counts.iter().all(|c| c.get() > 500), "{counts:?}");
}

#[test]
fn mutex_errors_and_timeouts() {
    let m: &'static RawMutex = Box::leak(Box::default());
    run(move |s| {
        let me = s.current_coro();
        assert!(!m.unlock(s, &me));
        assert_eq!(m.lock(s, &me, Until::Woken), Lock::Acquired);
        assert_eq!(m.lock(s, &me, Until::Woken), Lock::Recursive);
        let t = go(s, move |s| {
            let me = s.current_coro();
            assert!(!m.try_lock(s, &me) && !m.unlock(s, &me));
            assert_eq!(m.lock(s, &me, Until::At(now() + 1000)), Lock::TimedOut);
            assert_eq!(m.lock(s, &me, Until::Woken), Lock::Interrupted);
            assert_eq!(m.lock(s, &me, Until::Woken), Lock::Acquired);
            // Dies with it.
        });
        s.sleep(Until::At(now() + 3_000_000));
        s.interrupt(t);
        s.yield_now();
        assert_eq!(m.waiting(), 1);
        assert!(m.unlock(s, &me));
        finish(s, t);
        assert!(m.try_lock(s, &me) && m.unlock(s, &me));
    });
}

#[test]
fn a_dead_owner_frees_its_waiters() {
    let m: &'static RawMutex = Box::leak(Box::default());
    run(move |s| {
        let dying = go(s, move |s| {
            assert_eq!(m.lock(s, &s.current_coro(), Until::Woken), Lock::Acquired);
            s.sleep(Until::At(now() + 2_000_000));
        });
        let heirs: Vec<_> = (0..3)
            .map(|_| {
                go(s, move |s| {
                    let me = s.current_coro();
                    assert_eq!(m.lock(s, &me, Until::Woken), Lock::Acquired);
                    s.yield_now();
                    assert!(m.unlock(s, &me));
                })
            })
            .collect();
        heirs.into_iter().for_each(|t| finish(s, t));
        finish(s, dying);
        assert!(!m.is_locked(s));
    });
}

#[test]
fn condvars_lose_nothing() {
    struct Slot {
        m: RawMutex,
        full: RawCondvar,
        empty: RawCondvar,
        item: Cell<Option<u32>>,
        sum: Cell<u32>,
    }
    let slot: &'static Slot = Box::leak(Box::new(Slot {
        m: RawMutex::new(),
        full: RawCondvar::new(),
        empty: RawCondvar::new(),
        item: Cell::new(None),
        sum: Cell::new(0),
    }));
    run(move |s| {
        let mut threads = vec![];
        for _ in 0..4 {
            threads.push(go(s, move |s| {
                let me = s.current_coro();
                for i in 1..=50 {
                    slot.m.lock(s, &me, Until::Woken);
                    while slot.item.get().is_some() {
                        assert_eq!(slot.empty.wait(s, &slot.m, &me, Until::Woken), Wake::Woken);
                    }
                    slot.item.set(Some(i));
                    slot.full.signal(s);
                    slot.m.unlock(s, &me);
                }
            }));
            threads.push(go(s, move |s| {
                let me = s.current_coro();
                for _ in 1..=50 {
                    slot.m.lock(s, &me, Until::Woken);
                    while slot.item.get().is_none() {
                        assert_eq!(slot.full.wait(s, &slot.m, &me, Until::Woken), Wake::Woken);
                    }
                    slot.sum.set(slot.sum.get() + slot.item.take().unwrap());
                    slot.empty.signal(s);
                    slot.m.unlock(s, &me);
                }
            }));
        }
        threads.into_iter().for_each(|t| finish(s, t));
        let me = s.current_coro();
        slot.m.lock(s, &me, Until::Woken);
        assert_eq!(slot.full.wait(s, &slot.m, &me, Until::At(now() + 1000)), Wake::TimedOut);
        assert!(slot.m.owned_by(&me));
    });
    assert_eq!(slot.sum.get(), 4 * 50 * 51 / 2);
}

struct Pong {
    home: CoroRef,
    n: Cell<u32>,
}

unsafe fn pong(s: &Sched, _: CoroRef, arg: *mut ()) -> Option<CoroRef> {
    // SAFETY: the test keeps it alive.
    let pong = unsafe { &*arg.cast::<Pong>() };
    while pong.n.get() < 1000 {
        pong.n.set(pong.n.get() + 1);
        s.switch_to(pong.home);
    }
    // Parking in a fiber parks its thread.
    assert_eq!(s.sleep(Until::At(now() + 1000)), Wake::TimedOut);
    Some(pong.home)
}

#[test]
fn fibers_ping_pong() {
    run(|s| {
        let p = Pong { home: s.current_coro(), n: Cell::new(0) };
        let fiber = s.new_coro(pong, (&raw const p).cast_mut().cast(), null_mut()).unwrap();
        let other = s.new_coro(pong, (&raw const p).cast_mut().cast(), null_mut()).unwrap();
        assert!(s.current_coro().is_root() && !fiber.is_root());
        for i in 1..=1000 {
            s.switch_to(fiber);
            assert_eq!(p.n.get(), i);
            assert_eq!(fiber.state(), CoroState::Suspended);
        }
        s.switch_to(fiber);
        assert_eq!(fiber.state(), CoroState::Done);
        assert_eq!(s.coros().count(), 2);
        // SAFETY: ours, and not current.
        unsafe {
            s.free_coro(fiber);
            s.free_coro(other);
        }
        assert_eq!(s.coros().count(), 1);
    });
}

#[test]
fn big_stacks() {
    fn deep(n: u32) -> u32 {
        let pad = std::hint::black_box([n; 64]);
        if n == 0 { 0 } else { deep(n - 1) + pad[3] / n }
    }
    run(|s| {
        let t = go(s, |s| {
            assert_eq!(s.on_big_stack(|| deep(1000)).unwrap(), 1000);
            let me = s.current().serial;
            assert_eq!(s.on_big_stack(|| s.current().serial).unwrap(), me);
        });
        finish(s, t);
    });
}

#[test]
fn a_deadlock_is_reported() {
    let hooks = Hooks {
        on_deadlock: |s| {
            let count = s.user.get().cast::<u32>();
            // SAFETY: the test passes the address of its counter.
            unsafe { *count += 1 };
            s.interrupt(s.main_thread().unwrap());
        },
        ..hooks()
    };
    let mut count = 0u32;
    let sched = Sched::new(config(), hooks, (&raw mut count).cast());
    let main = |s: &Sched| {
        let q: &'static WaitQ = Box::leak(Box::default());
        let t = go(s, move |s| {
            s.park(q, Until::Woken);
        });
        assert_eq!(s.park(q, Until::Woken), Wake::Interrupted);
        // A region is no deadlock, even when it outlives its hold on the GVL.
        let sleeper = go(s, |s| nogvl_eager(s, Ubf::Never, || usleep(3000)));
        finish(s, sleeper);
        s.wake_all(q);
        finish(s, t);
    };
    sched.run(body, arg(main), null_mut()).unwrap();
    assert_eq!(count, 1);
}

#[test]
fn a_lasting_region_loses_the_gvl() {
    let rounds: &'static Cell<u32> = Box::leak(Box::default());
    let sched = run(move |s| {
        let t = go(s, move |s| {
            while rounds.get() < 5 {
                std::hint::spin_loop();
                poll(s);
            }
        });
        for _ in 0..5 {
            nogvl(s, Ubf::Never, || usleep(5000));
            rounds.set(rounds.get() + 1);
        }
        finish(s, t);
    });
    assert!(sched.stats.retakes.load(Ordering::Relaxed) >= 5, "{:?}", sched.stats);
    assert!(sched.stats.lost.load(Ordering::Relaxed) >= 5, "{:?}", sched.stats);
}

#[test]
fn preemption_lets_everybody_compute() {
    let counts: &'static [Cell<u64>; 3] = Box::leak(Box::default());
    run(move |s| {
        let threads: Vec<_> = (0..3)
            .map(|i| {
                go(s, move |s| {
                    while s.current().slices() < 5 {
                        counts[i].set(counts[i].get() + 1);
                        poll(s);
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|t| finish(s, t));
    });
    assert!(counts.iter().all(|c| c.get() > 0));
}

#[test]
fn talkers_and_a_computing_thread_share() {
    let done: &'static Cell<bool> = Box::leak(Box::default());
    let queues: &'static [WaitQ; 2] = Box::leak(Box::default());
    run(move |s| {
        let hog = go(s, move |s| {
            while !done.get() {
                poll(s);
            }
        });
        let talk = move |s: &Sched, mine: usize| {
            for _ in 0..20_000 {
                s.wake_one(&queues[1 - mine]);
                s.park(&queues[mine], Until::Woken);
                poll(s);
            }
            s.wake_one(&queues[1 - mine]);
        };
        let talkers = [go(s, move |s| talk(s, 0)), go(s, move |s| talk(s, 1))];
        talkers.into_iter().for_each(|t| finish(s, t));
        assert!(hog.slices() > 0 && hog.slices() < 2000, "{}", hog.slices());
        done.set(true);
        finish(s, hog);
    });
}

#[test]
fn regions_are_interrupted() {
    run(|s| {
        let mut ends = [0; 2];
        // SAFETY: two descriptors are written.
        assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
        let t = go(s, move |s| {
            let mut byte = 0u8;
            // SAFETY: one byte is read into one.
            let n = nogvl_eager(s, Ubf::Signal, || unsafe { libc::read(ends[0], (&raw mut byte).cast(), 1) });
            assert_eq!(n, -1);
            assert!(s.take_interrupt());
        });
        s.sleep(Until::At(now() + 2_000_000));
        assert_eq!(t.state(), ThreadState::Blocking);
        s.interrupt(t);
        finish(s, t);
    });
}

#[test]
fn many_workers_under_stress() {
    for seed in 0..4 {
        let sum: &'static Cell<u64> = Box::leak(Box::default());
        let m: &'static RawMutex = Box::leak(Box::default());
        let config = Config {
            quantum: 50_000,
            min_slice: 20_000,
            tick: 5_000,
            oracle: if seed == 0 { Oracle::Fifo } else { Oracle::random(seed) },
            stress_switch: seed == 3,
            ..config()
        };
        let sched = run_with(config, hooks(), move |s| {
            let threads: Vec<_> = (0..20u64)
                .map(|i| {
                    go(s, move |s| {
                        let me = s.current_coro();
                        for k in 0..60u64 {
                            match (i + k) % 6 {
                                0 => nogvl(s, Ubf::Never, || usleep(k % 40)),
                                1 => nogvl_eager(s, Ubf::Signal, || usleep(k % 30)),
                                2 => {
                                    s.sleep(Until::At(now() + k * 1000));
                                }
                                3 => (0..2000).for_each(|_| {
                                    poll(s);
                                }),
                                4 => s.yield_now(),
                                _ => (0..100).for_each(|_| nogvl(s, Ubf::Never, || ())),
                            }
                            assert_eq!(m.lock(s, &me, Until::Woken), Lock::Acquired);
                            let before = sum.get();
                            poll(s);
                            nogvl(s, Ubf::Never, || ());
                            sum.set(before + 1);
                            assert!(m.unlock(s, &me));
                        }
                    })
                })
                .collect();
            threads.into_iter().for_each(|t| finish(s, t));
        });
        assert_eq!(sum.get(), 1200);
        let stats = &sched.stats;
        assert_eq!(stats.retakes.load(Ordering::Relaxed), stats.lost.load(Ordering::Relaxed), "{stats:?}");
    }
}

#[test]
fn without_spare_workers_deadlines_still_fire() {
    let done: &'static Cell<bool> = Box::leak(Box::default());
    run_with(Config { max_workers: 1, ..config() }, hooks(), move |s| {
        let busy: Vec<_> = (0..2)
            .map(|_| {
                go(s, move |s| {
                    while !done.get() {
                        s.yield_now();
                        nogvl_eager(s, Ubf::Never, || ());
                    }
                })
            })
            .collect();
        assert_eq!(s.sleep(Until::At(now() + 2_000_000)), Wake::TimedOut);
        done.set(true);
        busy.into_iter().for_each(|t| finish(s, t));
    });
}

#[test]
fn two_schedulers_in_one_process() {
    let threads: Vec<_> = (0..2)
        .map(|_| {
            std::thread::spawn(|| {
                run(|s| {
                    let threads: Vec<_> = (0..10).map(|_| go(s, |s| s.yield_now())).collect();
                    threads.into_iter().for_each(|t| finish(s, t));
                });
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
}

#[test]
fn signals_interrupt_main() {
    let sched = run(|s| {
        assert!(s.catch_signal(libc::SIGUSR2, signal::Disposition::Catch));
        let t = go(s, |s| {
            s.sleep(Until::At(now() + 2_000_000));
            // SAFETY: no pointers.
            unsafe { libc::kill(libc::getpid(), libc::SIGUSR2) };
        });
        assert_eq!(s.sleep(Until::Called), Wake::Interrupted);
        assert_eq!(s.take_signals(), 1 << libc::SIGUSR2);
        finish(s, t);
    });
    assert!(sched.catch_signal(libc::SIGUSR2, signal::Disposition::Ignore));
}

/// In a process with one thread: the handler has run when `read` begins, and only the kernel's timer can end it.
fn a_signal_before_the_call_is_noticed(s: &Sched) -> bool {
    let mut ends = [0; 2];
    let caught = s.catch_signal(libc::SIGUSR1, signal::Disposition::Catch);
    // SAFETY: two descriptors are written; one byte is read into one.
    let n = unsafe {
        libc::pipe(ends.as_mut_ptr());
        let mut byte = 0u8;
        nogvl(s, Ubf::Signal, || {
            libc::raise(libc::SIGUSR1);
            libc::read(ends[0], (&raw mut byte).cast(), 1)
        })
    };
    caught && n == -1 && poll(s) == interrupt::THREAD && s.take_signals() == 1 << libc::SIGUSR1
}

#[test]
fn a_forked_child_goes_on_alone() {
    run(|s| {
        let q: &'static WaitQ = Box::leak(Box::default());
        let m: &'static RawMutex = Box::leak(Box::default());
        let t = go(s, move |s| {
            assert_eq!(m.lock(s, &s.current_coro(), Until::Woken), Lock::Acquired);
            s.park(q, Until::Woken);
        });
        let reader = go(s, |s| nogvl_eager(s, Ubf::Never, || usleep(20_000)));
        s.sleep(Until::At(now() + 2_000_000));
        // SAFETY: the child uses nothing but this scheduler before it leaves.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            s.after_fork_child();
            let ok = s.thread_count() == 1
                && q.is_empty()
                && t.state() == ThreadState::Finished
                && m.try_lock(s, &s.current_coro());
            let u = go(s, |s| {
                s.sleep(Until::At(now() + 1_000_000));
            });
            finish(s, u);
            let ok = ok && a_signal_before_the_call_is_noticed(s);
            // SAFETY: leaves at once.
            unsafe { libc::_exit(if ok { 7 } else { 8 }) };
        }
        let mut status = 0;
        // SAFETY: `status` is ours.
        unsafe { libc::waitpid(pid, &mut status, 0) };
        assert_eq!(libc::WEXITSTATUS(status), 7);
        s.wake_all(q);
        finish(s, t);
        finish(s, reader);
    });
}
