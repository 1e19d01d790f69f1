# SPDX-License-Identifier: MIT
"""Talks to a headless Chromium over a pipe (the DevTools protocol). It needs no package.

    with Browser(folder) as browser:            folder: for its profile, its maker removes it
        page = browser.open("file:///...", 1400, 900)
        page.run("document.title")              the value of an expression
        page.errors                             console errors, exceptions, and requests that are not file: or data:
"""
import base64, json, os, subprocess, time


class Browser:
    def __init__(self, folder):
        to_child, self.write_end = os.pipe()
        self.read_end, from_child = os.pipe()

        def wire():  # Chromium reads file 3 and writes file 4
            a, b = os.dup(to_child), os.dup(from_child)
            os.dup2(a, 3)
            os.dup2(b, 4)

        command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--remote-debugging-pipe", "--no-first-run", "--disable-extensions", "--disable-component-update",
                   "--disable-background-networking", "--hide-scrollbars", "--user-data-dir=" + folder]
        environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder, XDG_CACHE_HOME=folder)
        self.log = open(os.path.join(folder, "log"), "wb")
        self.process = subprocess.Popen(command, preexec_fn=wire, close_fds=False, env=environment,
                                        stdout=self.log, stderr=self.log)
        os.close(to_child)
        os.close(from_child)
        self.number, self.rest, self.pages = 0, b"", {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()

    def message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.read_end, 1 << 16)
            if not piece:
                raise RuntimeError("the browser ended")
            self.rest += piece
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, session=None, **parameters):
        self.number += 1
        number = self.number
        request = {"id": number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        os.write(self.write_end, json.dumps(request).encode() + b"\0")
        while True:
            m = self.message()
            if m.get("id") == number:
                if "error" in m:
                    raise RuntimeError("%s: %s" % (method, m["error"]["message"]))
                return m["result"]
            page = self.pages.get(m.get("sessionId"))
            if page:
                page.event(m["method"], m["params"])

    def open(self, url, width, height, dark=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session, target)
        for domain in ("Page", "Runtime", "Log", "Network", "Performance"):
            page.call(domain + ".enable")
        page.size(width, height)
        page.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        began, used = time.time(), page.processor()
        page.call("Page.navigate", url=url)
        while page.run("(document.documentElement || {dataset: {}}).dataset.ready || ''") != "yes":
            if time.time() - began > 20:
                page.errors.append("it is not ready after 20 s")
                break
            time.sleep(0.01)
        page.seconds, page.used = time.time() - began, page.processor() - used
        page.frame()
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target, self.errors, self.seconds = browser, session, target, [], 0
        self.used = 0  # seconds of processor time while it was opened

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def processor(self):
        """Seconds of processor time that its process took."""
        return {m["name"]: m["value"] for m in self.call("Performance.getMetrics")["metrics"]}["ProcessTime"]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def event(self, method, p):
        if method == "Runtime.exceptionThrown":
            d = p["exceptionDetails"]
            self.errors.append(d.get("exception", {}).get("description") or d["text"])
        elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
            self.errors.append("console: " + json.dumps(p["args"])[:300])
        elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
            self.errors.append("log: " + p["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not p["request"]["url"].startswith(("file:", "data:", "about:")):
            self.errors.append("network: " + p["request"]["url"][:100])

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return result["result"].get("value")

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def pointer(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
        self.frame()

    def key(self, name):
        text = {"text": name} if len(name) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name)
        self.frame()

    def shot(self, path, whole=False):
        png = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole,
                        **({"clip": dict(x=0, y=0, scale=1, width=self.run("innerWidth"),
                                         height=self.run("document.documentElement.scrollHeight"))} if whole else {}))
        with open(path, "wb") as out:
            out.write(base64.b64decode(png["data"]))
