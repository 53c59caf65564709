// Starts the page, and says how long that took.

readAddress();
connectKeys();
connectPointers();
connectControls();
connectBranches();
byId("command").textContent = data.command;
refresh();
grid.focus({ preventScroll: true });
// Milliseconds from the start of loading to the first picture.
document.documentElement.dataset.ready = String(Math.round(performance.now()));
