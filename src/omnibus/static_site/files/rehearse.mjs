// @ts-check
// Visits the site in Node.js while it is built: node rehearse.mjs FOLDER_OF_PYODIDE FOLDER
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { unpack } from "./offline/unpack.mjs";

const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);

const packages = readFileSync(`${folder}/packages.bin`);
const archive = packages.buffer.slice(packages.byteOffset, packages.byteOffset + packages.length);
const python = await loadPyodide({
  indexURL: pyodide,
  env: { PYTHONOPTIMIZE: "2" }, // as on the site
  fsInit: async (/** @type {any} */ FS, /** @type {any} */ { sitePackages }) => unpack(FS, archive, `${sitePackages}/`),
});
const compiled = await python.runPythonAsync(`
from omnibus.static_site.archives import archive
from omnibus.static_site.runtime.rehearsal import compiled, rehearse
await rehearse()
archive(compiled())
`).catch((/** @type {Error} */ error) => {
  console.error(error.message);
  process.exit(1);
});
writeFileSync(`${folder}/compiled.bin`, compiled.toJs());
process.exit(0);
