"""Build the package; wheels carry the engine core compiled with mypyc.

Everything else about the package stands in pyproject.toml. The core is compiled when a wheel is built, and by
`dev.py compile` (`build_ext`). Without a C compiler, or with OMNIBUS_PURE=1, the package is built in pure Python. A
failed compile leaves nothing behind: either the whole core is compiled, or none of it. OMNIBUS_BUILT names a folder
with a core that dev.py has compiled from the same sources: its libraries are packed, and nothing is compiled again.
"""

import os
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path("src") / "omnibus"
COMPILED = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["tool"]["omnibus"]["compiled"]
TRANSLATED = os.environ.get("OMNIBUS_TRANSLATED", "build/translated")  # where the C files go
BUILT = os.environ.get("OMNIBUS_BUILT")
COMPILERS = ("cc", "gcc", "clang", "cl")


def groups() -> "list[tuple[list[str], str | None]]":
    """List what is compiled, in groups that become one library each: the loops, and each game."""
    found: list[tuple[list[str], str | None]] = [([str(SOURCE / path) for path in COMPILED["loops"]], "omnibus_loops")]
    for game in sorted(path for path in (SOURCE / "games").iterdir() if (path / "__init__.py").exists()):
        patterns = [pattern for name in COMPILED["of_each_game"] for pattern in (name + ".py", name + "/[!_]*.py")]
        files = [str(path) for pattern in patterns for path in sorted(game.glob(pattern))]
        found.append((files, "omnibus_" + game.name))
    return found


def core() -> "list[Extension]":
    """List the libraries to build; none where they are not wanted or cannot be compiled."""
    asked = {"bdist_wheel", "build_ext"} & set(sys.argv)
    if not asked or os.environ.get("OMNIBUS_PURE") == "1":
        return []
    if BUILT:
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        found = sorted(path.relative_to(BUILT) for path in Path(BUILT).rglob("*" + suffix))
        return [Extension(".".join(path.parts).removesuffix(suffix), []) for path in found]
    if sys.implementation.name != "cpython" or not any(shutil.which(compiler) for compiler in COMPILERS):
        print("Omnibus is built in pure Python: it takes CPython and a C compiler to compile it.", file=sys.stderr)
        return []
    try:
        return translated()
    except (Exception, SystemExit) as error:  # mypyc exits where it finds an error
        if "bdist_wheel" not in sys.argv:
            raise
        print(f"Omnibus is built in pure Python: the core cannot be translated to C: {error}", file=sys.stderr)
        return []


def translated() -> "list[Extension]":
    """Translate the core to C."""
    from mypyc.build import mypycify

    # The checks of the project are not repeated here, and the types of its dependencies are not needed.
    options = ["--config-file=", "--follow-imports=silent", "--ignore-missing-imports"]
    separate = groups()
    files = [path for group, _ in separate for path in group]
    extensions = mypycify([*options, *files], separate=separate, debug_level="0", target_dir=TRANSLATED)
    if os.name == "posix":
        # Functions of a library then call each other directly, not through the linker's table: a fifth faster.
        for extension in extensions:
            extension.extra_compile_args.append("-fno-semantic-interposition")
    return extensions


class BuildCore(build_ext):
    """Compiles the core, all of it or nothing, on all processors."""

    def finalize_options(self) -> None:
        """Use all processors unless told otherwise."""
        super().finalize_options()
        self.parallel: int | None = getattr(self, "parallel", None) or os.cpu_count()

    def run(self) -> None:
        """Compile; where that fails while a wheel is built, build it in pure Python and say so."""
        try:
            super().run()
        except Exception as error:
            if "bdist_wheel" not in sys.argv:
                raise
            print(f"Omnibus is built in pure Python: compiling the core failed: {error}", file=sys.stderr)
            for output in self.get_outputs():
                Path(output).unlink(missing_ok=True)
            self.extensions: list[Extension] = []
            self.distribution.ext_modules = []
            self.distribution.get_command_obj("bdist_wheel").root_is_pure = True  # and tagged as such

    def build_extension(self, extension: Extension) -> None:
        """Compile a library, or take the one that has been compiled."""
        if not BUILT:
            super().build_extension(extension)
            return
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(BUILT) / self.get_ext_filename(extension.name), target)


setup(ext_modules=core(), cmdclass={"build_ext": BuildCore})
