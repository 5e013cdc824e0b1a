/** Sections of the console by the word that a person types. */
export const sections: Readonly<Record<string, string>> = {
  overview: "",
  messages: "/messages",
  templates: "/templates",
  batches: "/batches",
  contacts: "/contacts",
  media: "/media",
  webhooks: "/webhooks",
  payments: "/payments",
  groups: "/groups",
  numbers: "/phone-numbers",
  connections: "/connections",
  billing: "/billing",
  keys: "/api-keys",
  projects: "/projects",
  feedback: "/feedback",
  emails: "/emails"
}

/** Pages of single things by the prefix of their id. */
const things: Readonly<Record<string, string>> = {
  msg: "/messages",
  tpl: "/templates",
  pay: "/payments",
  grp: "/groups",
  bat: "/batches",
  con: "/contacts",
  pn: "/phone-numbers",
  we: "/webhooks",
  whe: "/webhooks"
}

const below: Readonly<Record<string, string>> = { we: "/endpoints", whe: "/deliveries" }

/** Returns the console page of a resource of the environment, or undefined when its kind of id has none. */
export const pageOfId = (baseUrl: string, environmentId: string, id: string): string | undefined => {
  const [prefix = ""] = id.split("_")
  const section = things[prefix]
  return section === undefined
    ? undefined
    : `${baseUrl}/dashboard${section}/${environmentId}${below[prefix] ?? ""}/${encodeURIComponent(id)}`
}

/** Members of an event's data that name its resource, the most specific first. */
const subjects = ["message_id", "payment_request_id", "template_id", "group_id", "id"]

/** Returns the console page of an event's resource; the list of webhooks when it has none. */
export const pageOfEvent = (baseUrl: string, environmentId: string, data: unknown): string => {
  const members: Readonly<Record<string, unknown>> = typeof data === "object" && data !== null ? { ...data } : {}
  for (const name of subjects) {
    const id = members[name]
    const page = typeof id === "string" ? pageOfId(baseUrl, environmentId, id) : undefined
    if (page !== undefined) return page
  }
  return `${baseUrl}/dashboard/webhooks?environment=${environmentId}`
}
