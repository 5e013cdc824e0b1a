import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData
} from "n8n-workflow"
import { NodeConnectionTypes, NodeOperationError } from "n8n-workflow"
import type { SubscribableEventType } from "../../../sdk/generated/Types.ts"
import { CarteiroApiError } from "../../../sdk/transport/Errors.ts"
import { webhooks } from "../../../sdk/Webhooks.ts"
import { clientOf, shownError } from "../../sdk/Client.ts"
import { eventTypes } from "./SampleEvents.ts"

/** The trigger's memory between runs: its registration, and the ids of the latest events. */
interface Kept extends IDataObject {
  endpointId?: string
  signingSecret?: string
  seen?: string[]
}

/** Event ids that are remembered; a delivery is repeated within three days, and most at once. */
const mostSeen = 1000

const keptOf = (node: IHookFunctions | IWebhookFunctions) => node.getWorkflowStaticData("node") as Kept

const wanted = (node: IHookFunctions) => {
  const url = node.getNodeWebhookUrl("default")
  if (url === undefined) throw new NodeOperationError(node.getNode(), "n8n has no address for the webhook")
  return { url, subscribed_events: node.getNodeParameter("events") as SubscribableEventType[] }
}

const isMissing = (error: unknown) => error instanceof CarteiroApiError && error.status === 404

/** Returns the error of a registration. The remedy of an address that the API does not deliver to is a setting of n8n. */
const registrationError = (node: IHookFunctions, error: unknown) => {
  const isUnsafe = error instanceof CarteiroApiError && error.code === "unsafe_webhook_url"
  const sentence = `Carteiro does not deliver to ${wanted(node).url}. Set n8n's N8N_WEBHOOK_URL to its public https address and restart n8n. Defina N8N_WEBHOOK_URL e reinicie o n8n.`
  return shownError(node.getNode(), error, 0, isUnsafe ? sentence : undefined)
}

/** The node that begins a workflow with an event. */
export class CarteiroTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Carteiro Trigger",
    name: "carteiroTrigger",
    icon: { light: "file:../../icons/carteiro.svg", dark: "file:../../icons/carteiro.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: "Starts the workflow when something happens. Começa quando um cliente escreve, paga e mais.",
    defaults: { name: "Carteiro Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "carteiroApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        default: ["message.received"],
        required: true,
        options: eventTypes.map((value) => ({ name: value, value })),
        description: "The events that start the workflow. Os eventos que começam o fluxo."
      },
      {
        displayName:
          "Carteiro must reach n8n: set n8n's N8N_WEBHOOK_URL to its public https address. Carteiro precisa alcançar o n8n.",
        name: "notice",
        type: "notice",
        default: ""
      }
    ]
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const kept = keptOf(this)
        if (kept.endpointId === undefined || kept.signingSecret === undefined) return false
        const carteiro = await clientOf(this)
        try {
          // The address or the events may have changed since, and failures may have disabled the endpoint.
          await carteiro.webhooks.endpoints.update(kept.endpointId, { ...wanted(this), status: "active" })
          return true
        } catch (error) {
          if (isMissing(error)) return false
          throw registrationError(this, error)
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const carteiro = await clientOf(this)
        const description = `n8n: ${this.getWorkflow().name ?? this.getWorkflow().id ?? "workflow"}`.slice(0, 255)
        try {
          const endpoint = await carteiro.webhooks.endpoints.create({ ...wanted(this), description })
          Object.assign(keptOf(this), { endpointId: endpoint.id, signingSecret: endpoint.signing_secret })
          return true
        } catch (error) {
          throw registrationError(this, error)
        }
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const kept = keptOf(this)
        if (kept.endpointId === undefined) return true
        const carteiro = await clientOf(this)
        try {
          await carteiro.webhooks.endpoints.delete(kept.endpointId)
        } catch (error) {
          if (!isMissing(error)) throw shownError(this.getNode(), error, 0)
        }
        delete kept.endpointId
        delete kept.signingSecret
        return true
      }
    }
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const kept = keptOf(this)
    const request = this.getRequestObject()
    const secret = kept.signingSecret
    const event =
      secret === undefined || request.rawBody === undefined
        ? undefined
        : await webhooks.verify(new Uint8Array(request.rawBody), request.headers, secret).catch(() => undefined)
    if (event === undefined) {
      this.getResponseObject().status(401).json({ message: "The signature does not verify." })
      return { noWebhookResponse: true }
    }
    const seen = kept.seen ?? []
    // Deliveries are at least once, and the workflow runs once for an event.
    if (seen.includes(event.id)) return { webhookResponse: { duplicate: true } }
    kept.seen = [...seen, event.id].slice(-mostSeen)
    return { workflowData: [this.helpers.returnJsonArray([event as unknown as IDataObject])] }
  }
}
