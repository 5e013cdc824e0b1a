/** Returns the package.json of the published package, whose files lie in a folder below it; `.` where they lie beside it. */
export const publishedManifest = (workspace: string, folder: string): string => {
  const {
    private: _private,
    exports: _exports,
    files: _files,
    scripts: _scripts,
    devDependencies: _devDependencies,
    ...shown
  } = JSON.parse(workspace)
  const entry = (name: string) => ({ types: `${folder}/${name}.d.ts`, default: `${folder}/${name}.js` })
  const manifest = {
    ...shown,
    sideEffects: false,
    engines: { node: ">=20.3" },
    exports: {
      ".": entry("index"),
      "./node": entry("node"),
      "./phone": entry("phone"),
      "./package.json": "./package.json"
    },
    ...(folder === "." ? {} : { files: _files })
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
