import { join } from "node:path"
import ts from "typescript"

/** One word as an editor shows it. */
export interface Hover {
  readonly shown: string
  readonly doc: string
  /** The file that go-to-definition opens. */
  readonly definition: string
}

/** Asks the language service about the word behind each mark of a program in that folder. */
export const hoversOf = (folder: string, program: string): ReadonlyArray<Hover> => {
  const file = join(folder, "hovered.mts")
  const read = (name: string) => (name === file ? program : ts.sys.readFile(name))
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      strict: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
      types: []
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const text = read(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: ts.sys.directoryExists
  })
  return [...program.matchAll(/\/\*\?\*\//g)].map(({ 0: mark, index }) => {
    const at = index + mark.length
    const info = service.getQuickInfoAtPosition(file, at)
    return {
      shown: ts.displayPartsToString(info?.displayParts),
      doc: ts.displayPartsToString(info?.documentation),
      definition: service.getDefinitionAtPosition(file, at)?.[0]?.fileName ?? ""
    }
  })
}
