import type { Carteiro } from "@carteiro/sdk"
import { askPerson, isYes } from "../shell/Confirm.ts"
import { Failure } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"
import { table } from "../shell/Table.ts"
import { escapeValue } from "../shell/Terminal.ts"
import { diff } from "./Diff.ts"
import { fileOf, readFiles, type TemplateFile, textOf, writeFiles } from "./Files.ts"

export interface PushOptions {
  readonly yes?: boolean
  readonly submit?: boolean
}

/** One template that differs from the environment's. */
interface Change {
  readonly file: TemplateFile
  readonly remote: Carteiro.Template | undefined
  readonly lines: ReadonlyArray<string>
}

/** Writes the environment's templates into a folder. */
export const pull = async (shell: Shell, folder: string): Promise<void> => {
  const client = await shell.client()
  const files: Array<TemplateFile> = []
  for await (const template of client.templates.list({ limit: 100 })) files.push(fileOf(template))
  const names = await writeFiles(folder, files)
  shell.result(
    files,
    names.length === 0
      ? "The environment has no templates."
      : table(
          ["WRITTEN"],
          names.map((name) => [name])
        )
  )
}

/** Shows the differences, asks for confirmation, and writes them. Templates that only the environment has stay. */
export const push = async (shell: Shell, folder: string, options: PushOptions): Promise<void> => {
  const client = await shell.client()
  const changes = await changesOf(client, await readFiles(folder))
  if (changes.length === 0) return shell.result([], "Nothing differs.")
  if (shell.options.json !== true) show(shell, changes)
  if (options.yes !== true && !(await agrees(shell, changes.length))) return
  const written: Array<Carteiro.Template> = []
  for (const change of changes) {
    const template = await write(client, change)
    written.push(options.submit === true ? await client.templates.submit(template.id) : template)
  }
  const rows = written.map(({ id, language, name, status, version }) => [id, name, language, `v${version}`, status])
  shell.result(written, table(["ID", "NAME", "LANGUAGE", "VERSION", "STATUS"], rows))
}

const changesOf = async (client: Carteiro, files: ReadonlyArray<TemplateFile>): Promise<ReadonlyArray<Change>> => {
  const remotes = new Map<string, Carteiro.Template>()
  for await (const template of client.templates.list({ limit: 100 }))
    remotes.set(`${template.name}.${template.language}`, template)
  return files.flatMap((file) => {
    const remote = remotes.get(`${file.name}.${file.language}`)
    const before = remote === undefined ? "" : textOf(fileOf(remote)).trimEnd()
    const after = textOf(file).trimEnd()
    if (before === after) return []
    return [
      { file, remote, lines: remote === undefined ? after.split("\n").map((line) => `+ ${line}`) : diff(before, after) }
    ]
  })
}

const show = (shell: Shell, changes: ReadonlyArray<Change>): void => {
  for (const { file, lines, remote } of changes) {
    const title = remote === undefined ? "new" : `a new version behind v${remote.version}, ${remote.status}`
    shell.print(`${shell.paint("bold", escapeValue(`${file.name} ${file.language}`))}: ${title}`)
    for (const line of lines) {
      const colour = line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : "dim"
      shell.print(shell.paint(colour, line))
    }
  }
}

const agrees = async (shell: Shell, count: number): Promise<boolean> => {
  const answer = await askPerson(shell, `Write ${count} templates? [y/N] `)
  if (answer !== undefined) return isYes(answer)
  throw new Failure(`${count} templates differ and nothing was written`, {
    code: "not_confirmed",
    next: "write them: carteiro templates push <folder> --yes"
  })
}

const write = (client: Carteiro, { file, remote }: Change): Promise<Carteiro.Template> => {
  if (remote === undefined) return client.templates.create(file)
  const { category, components, parameter_format } = file
  return client.templates.update(remote.id, { category, components, parameter_format })
}
