"""Processes that run the tasks of a pass on this machine.

A worker reports each page that it starts. If a page ends its process, the task is repeated in a new process, and the
page is rejected if that process ends too. A worker asks before it commits, so that it commits nothing after its parent
was killed.
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

from jobs.engine.memory import RECYCLED_BYTES, limit_memory, resident_bytes
from jobs.engine.page_pass import PagePass
from parcels.errors import ParcelsError

PAGE_DEATHS = 2  # processes that a page may end before it is rejected
OTHER_DEATHS = 3  # processes of a task that may end outside of pages before the run fails
GRACE_SECONDS = 5.0  # of CPU beyond the limit of a page, before the system ends the process
END_SECONDS = 5.0  # that a worker has to end before it is killed
PAGE_STARTED, PAGE_DONE, COMMIT, TASK_DONE, FAILED = range(5)  # kinds of messages from a worker


@dataclass
class Task:
    """The units of a task, and the number of processes that ended while they ran it."""

    number: int
    units: Sequence[Any]
    deaths: Counter[str | None] = field(default_factory=Counter)  # by the page in process

    @property
    def crashed(self) -> tuple[str, ...]:
        """Pages that are not tried again."""
        return tuple(page for page, count in self.deaths.items() if page and count >= PAGE_DEATHS)


class Worker:
    """A process and its current task."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.pipe, its_end = context.Pipe()
        self.process = context.Process(target=_serve, args=(its_end,), daemon=True, name="parcels worker")
        old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Ctrl-C is for the parent
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old)
        its_end.close()
        self.job: PagePass | None = None
        self.task: Task | None = None
        self.page: str | None = None

    def start(self, job: PagePass, task: Task) -> None:
        """Start a task."""
        self.task, self.page = task, None
        with contextlib.suppress(OSError):  # if the process has died, reading from it shows that
            if self.job is not job:
                self.pipe.send(job)
                self.job = job
            self.pipe.send((task.units, f"{job.run_ids[0]}-{task.number:06d}", task.crashed))

    def end(self) -> None:
        """End an idle process."""
        self.pipe.close()
        self.process.join(END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process at once."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


class WorkerPool:
    """Up to `count` processes, which keep running between passes with their models open."""

    def __init__(self, count: int):
        self.count = count
        self._idle: list[Worker] = []
        self._busy: list[Worker] = []

    def run(self, job: PagePass, units: Sequence[Sequence[Any]], on_page_done: Callable[[int], None]) -> Counter[str]:
        """Run the tasks of a pass and return their counts. `on_page_done` is called with the blocks of each page."""
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for the new processes: each uses one core
        waiting = deque(Task(number, task) for number, task in enumerate(units))
        counts: Counter[str] = Counter()
        missing = min(self.count, len(waiting)) - len(self._idle)
        self._idle += [Worker() for _ in range(missing)]  # all start before the first receives its models
        try:
            while waiting or self._busy:
                while waiting and len(self._busy) < self.count:
                    worker = self._idle.pop() if self._idle else Worker()
                    self._busy.append(worker)
                    worker.start(job, waiting.popleft())
                for pipe in wait([worker.pipe for worker in self._busy]):
                    worker = next(one for one in self._busy if one.pipe is pipe)
                    lost = self._receive(worker, counts, on_page_done)
                    if lost:
                        waiting.appendleft(lost)
        except BaseException:
            for worker in self._busy:
                worker.kill()
            self._busy.clear()
            raise
        return counts

    def _receive(self, worker: Worker, counts: Counter[str], on_page_done: Callable[[int], None]) -> Task | None:
        """Receive one message. Return the task of a worker that has died."""
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, OSError):
            return self._remove_dead(worker)
        if kind == PAGE_STARTED:
            worker.page = value
        elif kind == PAGE_DONE:
            worker.page = None
            on_page_done(value)
        elif kind == COMMIT:
            with contextlib.suppress(OSError):  # if the process has died, reading from it shows that
                worker.pipe.send(True)
        elif kind == TASK_DONE:
            counts.update(value["counts"])
            self._busy.remove(worker)
            if value["bytes"] > RECYCLED_BYTES:
                worker.end()
            else:
                self._idle.append(worker)
        else:
            raise value
        return None

    def _remove_dead(self, worker: Worker) -> Task | None:
        self._busy.remove(worker)
        worker.kill()
        task = worker.task
        assert task is not None
        task.deaths[worker.page] += 1
        if task.deaths[None] >= OTHER_DEATHS:
            raise ParcelsError(
                f"a worker process ended {OTHER_DEATHS} times with exit code {worker.process.exitcode} outside of "
                "pages. The machine may be out of memory: run again with fewer --workers to continue."
            )
        return task

    def close(self) -> None:
        """End all processes."""
        for worker in self._idle:
            worker.pipe.close()
        for worker in [*self._idle, *self._busy]:
            worker.end()
        self._idle, self._busy = [], []


class _TaskReporter:
    """Report the progress of a task to the parent, and limit the CPU time of pages that no signal handler can end."""

    def __init__(self, pipe: Connection, job: PagePass):
        self._pipe = pipe
        self._seconds = job.seconds * len(job.steps) + GRACE_SECONDS
        self._hard = resource.getrlimit(resource.RLIMIT_CPU)[1]

    def page_started(self, page_id: str) -> None:
        """Report that a page has started."""
        self._pipe.send((PAGE_STARTED, page_id))
        self._limit(int(time.process_time() + self._seconds))

    def page_done(self, pages: int, blocks: int) -> None:
        """Report that the page is done."""
        self._limit(self._hard)
        self._pipe.send((PAGE_DONE, blocks))

    def wait_to_commit(self) -> None:
        """Wait until the parent allows the commit."""
        self._pipe.send((COMMIT, None))
        self._pipe.recv()

    def _limit(self, seconds: int) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, self._hard))


def _serve(pipe: Connection) -> None:
    """Run tasks until the parent closes its end of the pipe or dies."""
    limit_memory()
    job: PagePass | None = None
    try:
        while True:
            message = pipe.recv()
            if isinstance(message, PagePass):
                reporter = _TaskReporter(pipe, message)
                job = replace(
                    message,
                    on_page_start=reporter.page_started,
                    on_page_done=reporter.page_done,
                    on_commit=reporter.wait_to_commit,
                )
                continue
            assert job is not None
            units, commit_id, crashed = message
            counts = job.process(units, commit_id=commit_id, crashed=crashed)
            pipe.send((TASK_DONE, {"counts": counts, "bytes": resident_bytes()}))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        os._exit(0)  # the parent has died; the next writer removes staged files
    except Exception as error:  # noqa: BLE001 - it is raised again in the parent
        if not isinstance(error, ParcelsError):
            error.add_note("In a worker process:\n" + "".join(traceback.format_tb(error.__traceback__)))
        pipe.send((FAILED, error))
