import type { ValidatorFacts } from "./Validators.ts"

/** What a generator's client gives to its callers. */
export interface GeneratorFacts {
  readonly name: string
  readonly version: string
  readonly settings: string
  readonly optionalKey: boolean
  readonly requiredKey: boolean
  readonly instants: boolean
  readonly unions: boolean
  readonly paging: boolean
}

/** Returns the table of `docs/generated-clients.md`. */
export const tableOf = (generators: ReadonlyArray<GeneratorFacts>): string => {
  const word = (holds: boolean) => (holds ? "yes" : "no")
  const rows = generators.map(
    ({ instants, name, optionalKey, paging, requiredKey, settings, unions, version }) =>
      `| ${name} ${version} | ${[optionalKey, requiredKey, instants, unions, paging].map(word).join(" | ")} | ${settings || "nothing"} |`
  )
  return `| generator | optional key | required key | instants | unions | paging | set |\n|---|---|---|---|---|---|---|\n${rows.join("\n")}\n`
}

/** Returns the table of validators of the same guide. */
export const validatorTableOf = (validators: ReadonlyArray<ValidatorFacts>): string => {
  const word = (holds: boolean) => (holds ? "takes it" : "refuses it")
  const rows = validators.map(
    ({ answer, foreignAnswer, name, request, settings, text, version }) =>
      `| ${name} ${version} | ${[request, text, answer, foreignAnswer].map(word).join(" | ")} | ${settings} |`
  )
  return `| validator | request, \`-03:00\` | request, no instant | answer, UTC | answer, \`-03:00\` | set |\n|---|---|---|---|---|---|\n${rows.join("\n")}\n`
}
