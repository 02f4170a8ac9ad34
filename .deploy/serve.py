"""Serves the labs to a full hall, one process a core behind nginx: `python .deploy/serve.py`.

A process that ends is started again, and so is one that has not answered for half a minute; its visitors are on another
by then (nginx.conf). All that is made on the way lies in a folder that goes with the end.
"""

import argparse
import contextlib
import gzip
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from urllib.request import urlopen

HERE = Path(__file__).parent
EVERY, SILENT = 5.0, 30.0  # seconds between two questions to a process; without an answer until it is killed


class Conf(Template):
    """nginx has variables of its own that begin with $."""

    delimiter = "@"


class Process:
    """One `streamlit run` on a port of its own, which it keeps when it is started again."""

    def __init__(self, number: int, port: int):
        self.number, self.port = number, port
        self.start()

    def start(self) -> None:
        options = {"address": "127.0.0.1", "port": self.port, "headless": True, "scriptHealthCheckEnabled": True}
        command = [sys.executable, "-m", "streamlit", "run", "Home.py"]
        command += [f"--server.{name}={value}".replace("True", "true") for name, value in options.items()]
        self.running = subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.DEVNULL)
        self.warm, self.answered = False, time.monotonic()

    def ask(self, path: str, timeout: float) -> bool:
        with contextlib.suppress(OSError), urlopen(f"http://127.0.0.1:{self.port}/_stcore/{path}", timeout=timeout):
            return True
        return False

    def look_after(self) -> None:
        """Start it again if it has ended, end it if it is silent; a new one runs the script before a visitor waits."""
        if self.running.poll() is not None:
            self.start()
        elif self.ask("health", 2):
            if not self.warm:
                print(f"process {self.number} is there: {self.running.pid}", flush=True)
                self.warm = self.ask("script-health-check", SILENT) or True  # once, whatever it says
            self.answered = time.monotonic()
        elif time.monotonic() - self.answered > SILENT:
            self.running.kill()


def free_ports(number: int) -> list[int]:
    """Ports that nobody listens on."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [probe.getsockname()[1] for probe in probes]


def compress(source: Path, target: Path) -> None:
    """The framework's files once, not for each visitor: 8 MB of them open a page."""
    for file in (path for path in source.rglob("*") if path.is_file()):
        to = target / f"{file.relative_to(source)}.gz"
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(gzip.compress(file.read_bytes(), 4))


def configure(folder: Path, port: int, ports: list[int]) -> Path:
    """Write nginx's configuration for processes on these ports, numbered from 1."""
    servers = {n: f"server 127.0.0.1:{at} max_fails=1 fail_timeout=5s" for n, at in enumerate(ports, 1)}
    cookie = "lab={}; Path=/; HttpOnly; SameSite=Lax"
    pools = [f"upstream labs {{ least_conn; {'; '.join(servers.values())}; }}"]
    for n in servers:
        others = "".join(f" {server} backup;" for other, server in servers.items() if other != n)
        pools.append(f"upstream lab_{n} {{ {servers[n]};{others} }}")
    words = {
        "port": port,
        "folder": folder,
        "pools": "\n    ".join(pools),
        "named": " ".join(f"{n} lab_{n};" for n in servers),
        "cookies": " ".join(f'"~:{at}$" "{cookie.format(n)}";' for n, at in enumerate(ports, 1)),
    }
    conf = folder / "nginx.conf"
    conf.write_text(Conf((HERE / "nginx.conf").read_text("utf-8")).substitute(words), "utf-8")
    return conf


def serve(port: int, number: int) -> int:
    """Run all of it until nginx ends or somebody ends this."""
    nginx = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if not nginx:
        sys.exit("nginx is missing: apt install nginx-light")
    with TemporaryDirectory(prefix="labs-") as name:
        folder, processes, front = Path(name), [], None
        folder.chmod(0o755)  # nginx, started by root, reads as nobody
        try:
            processes = [Process(n, at) for n, at in enumerate(free_ports(number), 1)]
            compress(Path(find_spec("streamlit").origin).parent / "static/static", folder / "static")
            conf = configure(folder, port, [process.port for process in processes])
            front = subprocess.Popen([nginx, "-p", str(folder), "-c", str(conf)])
            print(f"http://localhost:{port}", flush=True)
            while front.poll() is None:
                for process in processes:
                    process.look_after()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    front.wait(EVERY if all(process.warm for process in processes) else 0.5)
            return front.returncode
        finally:
            for again in (signal.SIGTERM, signal.SIGINT):
                signal.signal(again, signal.SIG_IGN)  # the end has begun
            started = [process.running for process in processes] + [front] * bool(front)
            for one in started:
                one.terminate()
            for one in started:
                one.wait()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=8080)
    options.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="as many as there are cores")
    chosen = options.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # for nginx, which opens two files a visitor
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with contextlib.suppress(KeyboardInterrupt):
        return serve(chosen.port, chosen.processes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
