import { Context } from "effect"
import { tellTerminal } from "./Terminal.ts"

/** Tells a person at the terminal which step of a start begins. Commands that only use the database tell none. */
export const StartSteps = Context.Reference<(step: string) => void>("@carteiro/runtime/boot/StartSteps", {
  defaultValue: () => () => {}
})

/** The steps as `npm start` and `npm run cluster` tell them. */
export const terminalSteps = Context.make(StartSteps, tellTerminal)
