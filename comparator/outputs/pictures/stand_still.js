// Scrolls through a page, as many pages show their parts only then, and marks it once it stands still.

(limit) => void (async () => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const rest = document.fonts ? document.fonts.ready : null;
  await Promise.race([rest, wait(1000)]);
  const step = window.innerHeight;
  const end = Math.min(document.documentElement.scrollHeight, limit);
  for (let top = step; top < end; top += step) { window.scrollTo(0, top); await wait(60); }
  window.scrollTo(0, 0);
  await wait(250);
  document.documentElement.dataset.stillForPicture = "";
})()
