/** How receivers make sure that a message is Howdah's. By the libraries of Standard Webhooks. */
export interface Sample {
  readonly language: string;
  readonly install: string;
  readonly code: string;
}

export const VERIFY_SAMPLES: readonly Sample[] = [
  {
    language: "Node",
    install: "npm install standardwebhooks",
    code: `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.HOWDAH_WEBHOOK_SECRET);

app.post("/howdah", express.raw({ type: "*/*" }), (request, response) => {
  // Throws where the signature is wrong or too old.
  const event = webhook.verify(request.body, request.headers);
  console.log(event.type, event.data.message);
  response.sendStatus(204);
});`,
  },
  {
    language: "Python",
    install: "pip install standardwebhooks",
    code: `import os
from standardwebhooks import Webhook

webhook = Webhook(os.environ["HOWDAH_WEBHOOK_SECRET"])

@app.post("/howdah")
def receive():
    # Raises where the signature is wrong or too old.
    event = webhook.verify(request.get_data(), request.headers)
    print(event["type"], event["data"]["message"])
    return "", 204`,
  },
  {
    language: "Go",
    install: "go get github.com/standard-webhooks/standard-webhooks/libraries",
    code: `webhook, err := standardwebhooks.NewWebhook(os.Getenv("HOWDAH_WEBHOOK_SECRET"))

http.HandleFunc("/howdah", func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if err := webhook.Verify(body, r.Header); err != nil {
		http.Error(w, "wrong signature", http.StatusUnauthorized)
		return
	}
	w.WriteHeader(http.StatusNoContent)
})`,
  },
];
