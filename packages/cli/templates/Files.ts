import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Carteiro } from "@carteiro/sdk"
import { usage } from "../shell/Failure.ts"
import { safeFileName } from "../shell/FileNames.ts"

/** A template as stored in its file: the parts that a person writes, without the platform's decisions. */
export interface TemplateFile {
  readonly name: string
  readonly language: string
  readonly category: Carteiro.CreateTemplate["category"]
  readonly parameter_format: "POSITIONAL" | "NAMED"
  readonly components: Carteiro.CreateTemplate["components"]
}

/** Returns the file of a template of the environment. */
export const fileOf = (template: Carteiro.Template): TemplateFile =>
  plain({
    name: template.name,
    language: template.language,
    category: template.category,
    parameter_format: template.parameter_format,
    components: template.components
  }) as TemplateFile

/** Returns the text of a file; equal templates have equal texts. */
export const textOf = (file: TemplateFile): string => `${JSON.stringify(plain(file), null, 2)}\n`

/** Returns a value without empty members and with names of parts in capitals, as the API returns them. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([name, member]) => [name, isWord(name, member) ? member.toUpperCase() : plain(member)] as const)
  return Object.fromEntries(entries.toSorted(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1)))
}

const isWord = (name: string, member: unknown): member is string =>
  (name === "type" || name === "format") && typeof member === "string"

const first = ["name", "language", "category", "parameter_format", "components", "type", "format", "text"]

const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length)

/** Writes a file for each template and returns their names; nothing is written when one of them has no safe name. */
export const writeFiles = async (
  folder: string,
  files: ReadonlyArray<TemplateFile>
): Promise<ReadonlyArray<string>> => {
  const named = files.map((file) => [safeFileName(`${file.name}.${file.language}.json`), file] as const)
  await mkdir(folder, { recursive: true })
  return Promise.all(
    named.map(async ([name, file]) => {
      await writeFile(join(folder, name), textOf(file))
      return name
    })
  )
}

/** Reads the JSON files of a folder. Refuses a file that is not a template. */
export const readFiles = async (folder: string): Promise<ReadonlyArray<TemplateFile>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).toSorted()
  return Promise.all(names.map(async (name) => read(join(folder, name))))
}

const read = async (path: string): Promise<TemplateFile> => {
  const text = await readFile(path, "utf8")
  const refused = () => usage(`${path} is no template: it needs name, language, category and components`)
  let file: Partial<TemplateFile>
  try {
    file = JSON.parse(text) as Partial<TemplateFile>
  } catch {
    throw refused()
  }
  const { category, components, language, name } = file
  if (name === undefined || language === undefined || category === undefined || components === undefined)
    throw refused()
  return { name, language, category, components, parameter_format: file.parameter_format ?? "POSITIONAL" }
}
