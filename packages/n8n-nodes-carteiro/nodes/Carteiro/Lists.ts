import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from "n8n-workflow"
import { clientOf } from "../../sdk/Client.ts"

/** Returns the numbers that can send, for the list of "From"; a sandbox has one of its own. */
export async function searchPhoneNumbers(
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string
): Promise<INodeListSearchResult> {
  const carteiro = await clientOf(this)
  const page = await carteiro.phoneNumbers
    .list({
      status: "active",
      limit: 100,
      ...(paginationToken === undefined ? {} : { starting_after: paginationToken })
    })
    .page()
  const results = page.data.map(({ display_name, id, phone }) => ({
    name: [display_name, phone].filter(Boolean).join(" ") || id,
    value: id
  }))
  const wanted = filter?.toLowerCase() ?? ""
  return {
    results: results.filter(({ name }) => name.toLowerCase().includes(wanted)),
    ...(page.has_more && page.next_cursor ? { paginationToken: page.next_cursor } : {})
  }
}

/** Returns the approved templates. */
export async function getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const carteiro = await clientOf(this)
  const templates = await carteiro.templates.list({ status: "approved", limit: 100 }).toArray({ limit: 1000 })
  return templates.map(({ language, name }) => ({ name: `${name} (${language})`, value: `${language}:${name}` }))
}
