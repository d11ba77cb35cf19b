"""Processes that do the tasks of a pass on this machine.

A worker tells which page it begins, so that a page that ends its process is known: its task is done again in a fresh
process, and the page is rejected if that ends too. A worker asks before it commits, so that one whose parent was killed
commits nothing.
"""

import contextlib
import os
import resource
import signal
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from jobs.engine.bounded import RECYCLED_BYTES, bound_memory, resident_bytes
from jobs.engine.passing import Pass
from parcels.errors import ParcelsError

DEATHS_OF_A_PAGE = 2  # then it is rejected
DEATHS_OUTSIDE = 3  # of a task's processes while no page was being done: then the run ends
GRACE_SECONDS = 5.0  # of CPU beyond a page's limits: then the system ends the process
END_SECONDS = 5.0  # a worker that was asked to end and has not is killed
BEGUN, DONE, COMMIT, ENDED, FAILED = range(5)  # what a worker tells


@dataclass
class Task:
    """Units of pages, and what has happened to the processes that had them."""

    number: int
    units: Sequence[Any]
    deaths: Counter[str | None] = field(default_factory=Counter)  # by the page that was being done

    @property
    def crashed(self) -> tuple[str, ...]:
        """The pages that are not tried again."""
        return tuple(page for page, count in self.deaths.items() if page and count >= DEATHS_OF_A_PAGE)


class Worker:
    """A process with the task that it has."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.pipe, its_end = context.Pipe()
        self.process = context.Process(target=_serve, args=(its_end,), daemon=True, name="parcels worker")
        old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Ctrl-C is for the parent: they inherit this
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old)
        its_end.close()
        self.job: Pass | None = None
        self.task: Task | None = None
        self.page: str | None = None

    def give(self, job: Pass, task: Task) -> None:
        """Start a task."""
        self.task, self.page = task, None
        with contextlib.suppress(OSError):  # where it has died, reading from it tells
            if self.job is not job:
                self.pipe.send(job)
                self.job = job
            self.pipe.send((task.units, f"{job.run_ids[0]}-{task.number:06d}", task.crashed))

    def end(self) -> None:
        """End the process, which has no task."""
        self.pipe.close()
        self.process.join(END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process at once."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


class Workers:
    """Up to `count` processes that stay from pass to pass, with their models open."""

    def __init__(self, count: int):
        self.count = count
        self._idle: list[Worker] = []
        self._busy: list[Worker] = []

    def run(self, job: Pass, units: Sequence[Sequence[Any]], told: Callable[[int], None]) -> Counter[str]:
        """Do the tasks of a pass; `told` gets the blocks of each page that is done. Returns the counts of all tasks."""
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read by the new processes: each is to use one core
        waiting = deque(Task(number, task) for number, task in enumerate(units))
        counts: Counter[str] = Counter()
        missing = min(self.count, len(waiting)) - len(self._idle)
        self._idle += [Worker() for _ in range(missing)]  # all start before the first is sent its models, which waits
        try:
            while waiting or self._busy:
                while waiting and len(self._busy) < self.count:
                    worker = self._idle.pop() if self._idle else Worker()
                    self._busy.append(worker)
                    worker.give(job, waiting.popleft())
                for pipe in wait([worker.pipe for worker in self._busy]):
                    worker = next(one for one in self._busy if one.pipe is pipe)
                    lost = self._hear(worker, counts, told)
                    if lost:
                        waiting.appendleft(lost)
        except BaseException:
            for worker in self._busy:
                worker.kill()
            self._busy.clear()
            raise
        return counts

    def _hear(self, worker: Worker, counts: Counter[str], told: Callable[[int], None]) -> Task | None:
        """Take one message; returns the task of a worker that has died."""
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, OSError):
            return self._bury(worker)
        if kind == BEGUN:
            worker.page = value
        elif kind == DONE:
            worker.page = None
            told(value)
        elif kind == COMMIT:
            with contextlib.suppress(OSError):  # where it has died, reading from it tells
                worker.pipe.send(True)
        elif kind == ENDED:
            counts.update(value["counts"])
            self._busy.remove(worker)
            if value["bytes"] > RECYCLED_BYTES:
                worker.end()
            else:
                self._idle.append(worker)
        else:
            raise value
        return None

    def _bury(self, worker: Worker) -> Task | None:
        self._busy.remove(worker)
        worker.kill()
        task = worker.task
        assert task is not None
        task.deaths[worker.page] += 1
        if task.deaths[None] >= DEATHS_OUTSIDE:
            raise ParcelsError(
                f"a worker process ended {DEATHS_OUTSIDE} times with exit code {worker.process.exitcode} before it had "
                "done a page. It may be out of memory: use fewer with --workers, then run again to go on."
            )
        return task

    def close(self) -> None:
        """End all processes."""
        for worker in self._idle:
            worker.pipe.close()
        for worker in [*self._idle, *self._busy]:
            worker.end()
        self._idle, self._busy = [], []


class _Reporter:
    """Report a task's progress to the parent, and bound the CPU time of a page that no signal handler can end."""

    def __init__(self, pipe: Connection, job: Pass):
        self._pipe = pipe
        self._seconds = job.seconds * len(job.steps) + GRACE_SECONDS
        self._hard = resource.getrlimit(resource.RLIMIT_CPU)[1]

    def begun(self, page_id: str) -> None:
        """Report that a page has begun."""
        self._pipe.send((BEGUN, page_id))
        self._bound(int(time.process_time() + self._seconds))

    def done(self, pages: int, blocks: int) -> None:
        """Report that the page is done."""
        self._bound(self._hard)
        self._pipe.send((DONE, blocks))

    def committing(self) -> None:
        """Wait for the parent's consent."""
        self._pipe.send((COMMIT, None))
        self._pipe.recv()

    def _bound(self, seconds: int) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, self._hard))


def _serve(pipe: Connection) -> None:
    """Do tasks until the parent closes its end, or dies."""
    bound_memory()
    job: Pass | None = None
    try:
        while True:
            message = pipe.recv()
            if isinstance(message, Pass):
                telling = _Reporter(pipe, message)
                job = replace(message, begun=telling.begun, told=telling.done, committing=telling.committing)
                continue
            assert job is not None
            units, commit_id, crashed = message
            counts = job.work(units, commit_id=commit_id, crashed=crashed)
            pipe.send((ENDED, {"counts": counts, "bytes": resident_bytes()}))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        os._exit(0)  # the parent has gone; what is staged is swept by the next writer
    except Exception as error:  # noqa: BLE001 - it is raised again in the parent
        if not isinstance(error, ParcelsError):
            error.add_note("In a worker process:\n" + "".join(traceback.format_tb(error.__traceback__)))
        pipe.send((FAILED, error))
