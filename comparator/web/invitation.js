// On the page of an invitation: takes the secret out of the address, exchanges it and goes to the app.

const say = (text) => { document.querySelector("p").textContent = text; };
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
const ask = (reply) => {
  say(reply.question);
  const button = document.createElement("button");
  button.textContent = reply.answer;
  button.addEventListener("click", () => { button.remove(); say("Signing you in…"); exchange({ token, leave: "1" }); });
  document.querySelector("p").after(button);
};
const exchange = (form) => fetch(location.pathname, { method: "POST", body: new URLSearchParams(form) })
  .then((answer) => answer.json())
  .then((reply) => {
    if (reply.ok) location.replace("/");
    else if (reply.question) ask(reply);
    else say(reply.problem);
  })
  .catch(() => say("The server could not be reached. Open the link again."));
if (!token) say("This address is incomplete. Open the whole link that you were sent.");
else exchange({ token });
