import { Context } from "effect"

/** Wakes the owners of numbers' lifecycles after a change of a number. */
export class NumberLifecycles extends Context.Service<
  NumberLifecycles,
  {
    /** Wakes the owner of a number; the sweeper catches a missed wake-up. */
    wake(numberId: string): void
  }
>()("@carteiro/runtime/phone-numbers/lifecycle/NumberLifecycles") {}
