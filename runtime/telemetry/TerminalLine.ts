import pretty from "pino-pretty"

/** Members that the sentence of a request's line already contains, or that a person looks up by the request's id. */
const toldByRequest: ReadonlySet<string> = new Set(["operation", "status", "duration_ms", "trace_id"])

/** Members that pino-pretty shows in separate places. */
const shownApart: ReadonlySet<string> = new Set(["level", "time", "msg", "err"])

/**
 * Returns a JSON line as it reads in a terminal: time, level, sentence and `name=value`, in one short line except for
 * errors.
 */
export const terminalLine = (options: {
  readonly colorize: boolean
  /** Members that every line of this process has, and that are not shown. */
  readonly hidden: ReadonlySet<string>
}): ((line: string) => string) =>
  pretty.prettyFactory({
    colorize: options.colorize,
    translateTime: "SYS:HH:MM:ss",
    include: "level,time,err",
    messageFormat: (line, messageKey) => {
      const ofRequest = "duration_ms" in line && "status" in line
      const members = Object.entries(line).filter(
        ([name]) => !shownApart.has(name) && !options.hidden.has(name) && !(ofRequest && toldByRequest.has(name))
      )
      const told = members.map(
        ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`
      )
      return [String(line[messageKey] ?? ""), ...told].join(" ")
    }
  })
