/** What is wrong with a value; `code` is the platform's. */
export interface Flaw {
  readonly code: number
  readonly details: string
}

/** A rule about the value at a path; undefined when the value keeps it. */
export type Rule = (value: unknown, path: string) => Flaw | undefined

const flaw = (code: number, details: string): Flaw => ({ code, details })

/** A parameter that the platform misses. */
const missing = (path: string): Flaw => flaw(131008, `The parameter ${path} is required.`)

/** A value of the right type that is not allowed. */
export const invalid = (path: string, why: string): Flaw => flaw(131009, `${path}: ${why}`)

const wrongType = (path: string, type: string): Flaw => flaw(100, `Param ${path} must be ${type}.`)

/** A text of 1 to `most` characters. */
export const text =
  (most: number, least = 1): Rule =>
  (value, path) => {
    if (typeof value !== "string") return wrongType(path, "a string")
    const length = [...value].length
    return length >= least && length <= most
      ? undefined
      : invalid(path, `length invalid. Min length: ${least}, Max length: ${most}`)
  }

export const flag: Rule = (value, path) => (typeof value === "boolean" ? undefined : wrongType(path, "a boolean"))

export const anything: Rule = () => undefined

/** A number, or a text that is one, between two bounds. */
export const between =
  (least: number, most: number): Rule =>
  (value, path) => {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
    if (typeof number !== "number" || Number.isNaN(number)) return wrongType(path, "a number")
    return number >= least && number <= most ? undefined : invalid(path, `must be from ${least} to ${most}`)
  }

export const oneOf =
  (...values: ReadonlyArray<unknown>): Rule =>
  (value, path) =>
    values.includes(value) ? undefined : flaw(100, `Param ${path} must be one of {${values.join(", ")}}.`)

export const matching =
  (form: RegExp, why: string): Rule =>
  (value, path) => {
    if (typeof value !== "string") return wrongType(path, "a string")
    return form.test(value) ? undefined : invalid(path, why)
  }

/** A list whose members keep a rule. */
export const list =
  (member: Rule, least: number, most: number): Rule =>
  (value, path) => {
    if (!Array.isArray(value)) return wrongType(path, "an array")
    if (value.length < least || value.length > most) return invalid(path, `must have ${least} to ${most} members`)
    return firstFlaw(value.map((one, at) => () => member(one, `${path}[${at}]`)))
  }

type Members = Readonly<Record<string, Rule>>

/** An object with these members and no other. */
export const record =
  (required: Members, optional: Members = {}, ...also: ReadonlyArray<Rule>): Rule =>
  (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return wrongType(path, "a JSON object")
    const members = new Map(Object.entries(value))
    const at = (name: string) => (path === "" ? name : `${path}['${name}']`)
    const absent = Object.keys(required).find((name) => members.get(name) === undefined)
    if (absent !== undefined) return missing(at(absent))
    const rules = new Map(Object.entries({ ...required, ...optional }))
    const unknown = [...members.keys()].find((name) => !rules.has(name))
    if (unknown !== undefined) return flaw(100, `Unexpected key "${unknown}" on param "${path}".`)
    return firstFlaw([
      ...[...members]
        .filter(([, one]) => one !== undefined)
        .map(
          ([name, one]) =>
            () =>
              rules.get(name)?.(one, at(name))
        ),
      ...also.map((rule) => () => rule(value, path))
    ])
  }

/** Chooses the rule by a member, such as `type`. */
export const by =
  (name: string, rules: Members): Rule =>
  (value, path) => {
    const word = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
    if (word === undefined) return missing(`${path}['${name}']`)
    const rule = typeof word === "string" ? rules[word] : undefined
    return rule === undefined ? oneOf(...Object.keys(rules))(word, `${path}['${name}']`) : rule(value, path)
  }

/** All of some rules, the first flaw first. */
export const every =
  (...rules: ReadonlyArray<Rule>): Rule =>
  (value, path) =>
    firstFlaw(rules.map((rule) => () => rule(value, path)))

const firstFlaw = (checks: ReadonlyArray<() => Flaw | undefined>): Flaw | undefined => {
  for (const check of checks) {
    const found = check()
    if (found !== undefined) return found
  }
  return undefined
}
