import { cpSync, existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** One instruction of a Dockerfile, its continuation lines joined. */
export interface Instruction {
  readonly keyword: string
  readonly text: string
}

/** One build stage: its base image, its name and what follows. */
export interface Stage {
  readonly base: string
  readonly name: string
  readonly instructions: ReadonlyArray<Instruction>
}

const known = new Set("COPY RUN ENV WORKDIR USER EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD ARG LABEL".split(" "))

/** The stages of a Dockerfile, with the defaults of its build arguments; throws at an instruction that does not exist. */
export const stagesOf = (text: string): ReadonlyArray<Stage> => {
  const stages: Array<{ base: string; name: string; instructions: Array<Instruction> }> = []
  const defaults = new Map<string, string>()
  for (const line of text.replace(/\\\n/g, " ").split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue
    const [, keyword = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (keyword === "FROM") {
      const [from = "", , name = `${stages.length}`] = rest.split(" ")
      const base = from.replace(/\$\{(\w+)\}/, (_, argument: string) => defaults.get(argument) ?? "")
      stages.push({ base, name, instructions: [] })
    } else if (keyword === "ARG" && stages.length === 0) {
      const [argument = "", value = ""] = rest.split("=")
      defaults.set(argument, value)
    } else if (known.has(keyword) && stages.length > 0) stages.at(-1)?.instructions.push({ keyword, text: rest })
    else throw new Error(`not an instruction: ${line}`)
  }
  return stages
}

/** The texts of one instruction in a stage. */
export const textsOf = (stage: Stage, keyword: string): ReadonlyArray<string> =>
  stage.instructions.filter((one) => one.keyword === keyword).map(({ text }) => text)

/** Variables that a stage sets. */
export const environmentOf = (stage: Stage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    textsOf(stage, "ENV")
      .flatMap((text) => text.split(" "))
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])
  )

/**
 * Plays a stage in a folder that stands for its root: COPY copies from `context` or from the folder of another stage, RUN
 * is handed to `run` with the working directory.
 */
export const playStage = (
  stage: Stage,
  root: string,
  context: string,
  stages: ReadonlyMap<string, string>,
  run: (command: string, cwd: string) => void
): string => {
  let cwd = root
  for (const { keyword, text } of stage.instructions) {
    if (keyword === "WORKDIR") {
      cwd = join(root, text)
      mkdirSync(cwd, { recursive: true })
    } else if (keyword === "RUN") run(text, cwd)
    else if (keyword === "COPY") copy(text, cwd, context, stages)
  }
  return cwd
}

const copy = (text: string, cwd: string, context: string, stages: ReadonlyMap<string, string>) => {
  const words = text.split(" ")
  const from = /^--from=(.+)$/.exec(words[0] ?? "")?.[1]
  const paths = from === undefined ? words : words.slice(1)
  const target = paths.at(-1) ?? ""
  for (const path of paths.slice(0, -1)) {
    const source = from === undefined ? join(context, path) : join(stages.get(from) ?? "", path)
    if (!existsSync(source)) throw new Error(`COPY ${text}: there is no ${source}`)
    // The builder copies a folder's content, and a file into a folder under its own name.
    const isInto = target.endsWith("/") && !statSync(source).isDirectory()
    const to = resolve(cwd, isInto ? join(target, path.split("/").at(-1) ?? "") : target)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(source, to, { recursive: true, verbatimSymlinks: true })
  }
}
