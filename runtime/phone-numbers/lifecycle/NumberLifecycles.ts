import { Context } from "effect"

/** Reaches the workers that carry numbers on, for those who have changed a number. */
export class NumberLifecycles extends Context.Service<
  NumberLifecycles,
  {
    /** Has the worker of a number look at it; best effort, the sweeper is the guarantee. */
    wake(numberId: string): void
  }
>()("@carteiro/runtime/phone-numbers/lifecycle/NumberLifecycles") {}
