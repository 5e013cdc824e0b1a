import { Effect } from "effect"
import type { CustomerIds } from "../../customers/CustomerIds.ts"
import type { AcceptItem } from "./AcceptItem.ts"

/**
 * Returns sends with the key of each customer whom an id of the platform addresses, and with their phone where it is
 * known: a send goes to the phone then. Other sends stay as they are, and cost nothing. U-HID-02
 */
export const addressedItems = (
  items: ReadonlyArray<AcceptItem>,
  customers: CustomerIds["Service"]
): Effect.Effect<ReadonlyArray<AcceptItem>> =>
  items.every(({ user_id }) => user_id === undefined)
    ? Effect.succeed(items)
    : Effect.forEach(
        items,
        (item) =>
          item.user_id === undefined
            ? Effect.succeed(item)
            : Effect.map(customers.recall(item.environment_id, item.user_id), ({ key, phone }) => ({
                ...item,
                customer_key: key,
                customer_id: phone === "" ? key : phone
              })),
        { concurrency: "unbounded" }
      )
