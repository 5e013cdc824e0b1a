import type { FormRecord, FormValue } from "./Form.ts"
import { invalid } from "./Refusal.ts"

const longestKey = 40
const longestValue = 500
const mostKeys = 50

/** The parameters of one call, read as the API reads them; each method refuses a value of another kind. */
export class Fields {
  readonly all: FormRecord

  /** Refuses names that the call does not have. */
  constructor(all: FormRecord, allowed: ReadonlyArray<string>) {
    this.all = all
    for (const name of Object.keys(all)) {
      if (!allowed.includes(name)) {
        throw invalid(`Received unknown parameter: ${name}`, name, "parameter_unknown")
      }
    }
  }

  has(name: string): boolean {
    return this.all[name] !== undefined && this.all[name] !== ""
  }

  /** Returns a text; null when it is absent. */
  text(name: string): string | null {
    const value = this.all[name]
    if (value === undefined || value === "") return null
    if (typeof value !== "string") throw invalid("Invalid string: expected a string", name)
    return value
  }

  required(name: string): string {
    if (this.all[name] === "") {
      throw invalid(
        `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; ` +
          `however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
        name,
        "parameter_invalid_empty"
      )
    }
    const value = this.text(name)
    if (value === null) throw invalid(`Missing required param: ${name}.`, name, "parameter_missing")
    return value
  }

  /** Returns a whole number; null when it is absent. */
  whole(name: string): number | null {
    const value = this.text(name)
    if (value === null) return null
    if (!/^-?\d{1,15}$/.test(value)) throw invalid(`Invalid integer: ${value}`, name, "parameter_invalid_integer")
    return Number(value)
  }

  /** Returns a boolean; null when it is absent. */
  flag(name: string): boolean | null {
    const value = this.text(name)
    if (value === null) return null
    if (value !== "true" && value !== "false") throw invalid(`Invalid boolean: ${value}`, name)
    return value === "true"
  }

  /** Returns one of these texts; null when it is absent. */
  oneOf<Value extends string>(name: string, values: ReadonlyArray<Value>): Value | null {
    const value = this.text(name)
    if (value === null) return null
    const known = values.find((one) => one === value)
    if (known !== undefined) return known
    throw invalid(`Invalid ${name}: must be one of ${values.join(", ")}`, name)
  }

  /** Returns a list of texts; empty when it is absent. */
  texts(name: string): ReadonlyArray<string> {
    const value = this.all[name]
    if (value === undefined || value === "") return []
    if (!Array.isArray(value)) throw invalid("Invalid array", name)
    return value.map((one: FormValue) => {
      if (typeof one !== "string") throw invalid("Invalid string", name)
      return one
    })
  }

  /** Returns a record's members; empty when it is absent. */
  record(name: string): FormRecord {
    const value = this.all[name]
    if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return {}
    if (typeof value === "string" || Array.isArray(value)) throw invalid("Invalid object", name)
    return value as FormRecord
  }

  /** Returns metadata within the API's bounds. */
  metadata(name = "metadata"): Readonly<Record<string, string>> {
    const entries = Object.entries(this.record(name)).filter(([, value]) => value !== "")
    if (entries.length > mostKeys) throw invalid(`Metadata can have up to ${mostKeys} keys.`, name)
    return Object.fromEntries(
      entries.map(([key, value]) => {
        if (key.length > longestKey) {
          throw invalid(`Metadata keys can have up to ${longestKey} characters: ${key}`, name)
        }
        if (typeof value !== "string") throw invalid("Metadata values must be strings", `${name}[${key}]`)
        if (value.length > longestValue) {
          const size = `but you passed in a value that is ${value.length} characters`
          throw invalid(`Metadata values can have up to ${longestValue} characters, ${size}.`, `${name}[${key}]`)
        }
        return [key, value]
      })
    )
  }
}
