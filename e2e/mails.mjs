// A mail server that keeps what it is given.

import { createServer } from "node:net";
import { until } from "./service.mjs";

/** Starts it; settings are what the service needs to send there, next gives the next mail to an address. */
export async function startMails(t) {
  const mails = [];
  const server = createServer((socket) => {
    let text = "", mail;
    socket.on("error", () => {});
    socket.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      for (let end; (end = text.indexOf(mail?.data ? "\r\n.\r\n" : "\r\n")) >= 0; ) {
        const line = text.slice(0, end);
        text = text.slice(end + (mail?.data ? 5 : 2));
        if (mail?.data) {
          mails.push({ to: mail.to, text: line.replace(/=\r\n/g, "").replace(/=3D/g, "=") });
          mail = undefined;
        } else if (/^MAIL/i.test(line)) mail = { to: [] };
        else if (/^RCPT/i.test(line)) mail.to.push(/<(.*)>/.exec(line)[1]);
        else if (/^DATA/i.test(line)) {
          mail.data = true;
          socket.write("354 go on\r\n");
          continue;
        }
        socket.write(/^QUIT/i.test(line) ? "221 bye\r\n" : "250 ok\r\n");
      }
    });
    socket.write("220 mails\r\n");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  const next = (to) => until(() => {
    const at = mails.findIndex((mail) => mail.to.includes(to));
    return at >= 0 && mails.splice(at, 1)[0].text;
  }, `no mail to ${to}`);
  return { settings: { SmtpServer__Host: "127.0.0.1", SmtpServer__Port: String(server.address().port), SmtpServer__EnableSsl: "false", SmtpServer__From: "reports@example.com" }, next };
}
