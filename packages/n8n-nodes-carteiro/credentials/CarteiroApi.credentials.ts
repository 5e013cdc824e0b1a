import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from "n8n-workflow"

/** A key of one environment, and where the API is. */
export class CarteiroApi implements ICredentialType {
  name = "carteiroApi"

  displayName = "Carteiro API"

  icon = { light: "file:../icons/carteiro.svg", dark: "file:../icons/carteiro.dark.svg" } as const

  documentationUrl = "https://carteiro.example/docs/n8n"

  properties: INodeProperties[] = [
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      placeholder: "svc_sbx_…",
      description: "A key of the environment that the workflow acts in, from the console: svc_sbx_… or svc_live_…"
    },
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "http://127.0.0.1:8080",
      required: true,
      description: "Where the API is, without a path"
    }
  ]

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } }
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl.replace(new RegExp("/+$"), "")}}', url: "/v1/account" },
    // n8n shows these behind "More details"; without them it shows the bare reason of the status.
    rules: [
      {
        type: "responseCode",
        properties: {
          value: 401,
          message: "The key is wrong, revoked or expired. Chave errada, revogada ou vencida: crie outra no console."
        }
      },
      {
        type: "responseCode",
        properties: {
          value: 404,
          message: "Base URL has no path, such as /v1. O endereço não leva caminho: http://127.0.0.1:8080"
        }
      }
    ]
  }
}
