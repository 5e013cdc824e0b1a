/** An answer with what surrounds it. */
export interface WithResponse<T> {
  readonly data: T
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  /** Number of tries it took. */
  readonly attempts: number
}

/** One call under way: await it for the body, or `withResponse()` for status and headers too. */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "ApiPromise"
  readonly #answer: Promise<WithResponse<T>>

  constructor(answer: Promise<WithResponse<T>>) {
    this.#answer = answer
  }

  /** Resolves to the body together with status, headers and request id. */
  withResponse(): Promise<WithResponse<T>> {
    return this.#answer
  }

  // biome-ignore lint/suspicious/noThenProperty: callers await a call
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }
}
