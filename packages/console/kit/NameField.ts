import { label } from "@carteiro/schema/conventions/Text.ts"
import { Schema } from "effect"
import type { Html } from "./Html.ts"
import { input } from "./Parts.ts"

const longest = 120
const isName = Schema.is(label(1, longest))

/** Why a project or a person cannot be called that; undefined when they can. */
export const nameError = (name: string): string | undefined =>
  isName(name) ? undefined : `A name has 1 to ${longest} characters.`

/** The name of a project or a person, as forms ask for it. */
export const nameField = (value: string, error: string | Html | undefined): Html =>
  input({ name: "name", label: "Name", value, error, required: true, maxLength: longest })
