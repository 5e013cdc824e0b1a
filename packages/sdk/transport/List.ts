import { ApiPromise } from "./ApiPromise.ts"

/** A page as every list answers it. */
export interface PageBody {
  readonly data: ReadonlyArray<unknown>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/** One row of a page. */
export type ItemOf<Page extends PageBody> = Page["data"][number]

/**
 * A list: `for await` walks all of its rows and asks for the next page when one ends; `page()` and `await` answer the first page. A page
 * may hold fewer rows than its limit while more follow.
 */
export class List<Page extends PageBody> extends ApiPromise<Page> implements AsyncIterable<ItemOf<Page>> {
  readonly #first: ApiPromise<Page>
  readonly #next: (cursor: string) => ApiPromise<Page>

  constructor(first: ApiPromise<Page>, next: (cursor: string) => ApiPromise<Page>) {
    super(first.withResponse())
    this.#first = first
    this.#next = next
  }

  /** Returns the first page. */
  page(): ApiPromise<Page> {
    return this.#first
  }

  /** Walks the pages. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await this.#first
    yield page
    while (page.has_more && page.next_cursor !== null) {
      page = await this.#next(page.next_cursor)
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page>, void, undefined> {
    for await (const page of this.pages()) yield* page.data as ReadonlyArray<Awaited<ItemOf<Page>>>
  }

  /** Collects rows into an array, at most `limit` of them. */
  async toArray({ limit }: { readonly limit: number }): Promise<Array<ItemOf<Page>>> {
    const rows: Array<ItemOf<Page>> = []
    if (limit <= 0) return rows
    for await (const row of this) {
      rows.push(row)
      if (rows.length >= limit) break
    }
    return rows
  }
}
