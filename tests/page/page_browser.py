"""The page to chat in, used in a real browser: page_browser.py ADDRESS [SCREENSHOTS]"""
import pathlib
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ADDRESS = sys.argv[1]
SHOTS = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "build/page")
WAIT_MS = 60_000
HOSTILE = "<script>window.bad = 1</script><img src=x onerror='window.bad = 1'>\n[a](javascript:alert(1)) [b](https://a.b)\n```js\nopen"


def ask(page, text):
    page.fill("#text", text)
    page.keyboard.press("Enter")


def wait_done(page):
    expect(page.locator("#status")).to_have_text("Done.", timeout=WAIT_MS)


def answers(page):
    return page.locator("#messages .assistant .body")


def a_message_is_answered(page):
    ask(page, "Say hello.")
    wait_done(page)
    assert answers(page).last.inner_text().strip(), "an empty answer"
    expect(page.locator("#speed")).to_contain_text("tokens/s")
    expect(page.locator("#speed")).to_contain_text("first token after")


def a_long_answer_is_stopped(page):
    ask(page, "Write a very long story about a mountain, with every detail.")
    expect(answers(page).last).not_to_be_empty(timeout=WAIT_MS)
    page.click("#stop")
    expect(page.locator("#status")).to_have_text("Stopped.", timeout=WAIT_MS)
    page.get_by_role("button", name="Retry").last.click()
    page.wait_for_timeout(200)
    page.keyboard.press("Escape")
    expect(page.locator("#send")).to_be_enabled(timeout=WAIT_MS)


def an_edited_message_takes_its_answer_away(page):
    before = page.locator("#messages > li").count()
    page.get_by_role("button", name="Edit").last.click()
    assert page.input_value("#text").startswith("Write a very long story")
    assert page.locator("#messages > li").count() == before - 2
    page.fill("#text", "")


def conversations_survive_a_reload(page):
    page.reload()
    expect(page.locator("#messages .user").first).to_contain_text("Say hello.")
    page.click("#new")
    assert page.locator("#messages > li").count() == 0
    page.get_by_role("button", name="Say hello.", exact=True).click()
    expect(page.locator("#messages .user").first).to_contain_text("Say hello.")


def text_of_a_model_is_never_html(page):
    html = page.evaluate(
        "async (text) => { const { render } = await import('/page/markdown.js');"
        " const box = document.createElement('div'); box.append(...render(text));"
        " document.body.append(box); const html = box.innerHTML; box.remove(); return html; }", HOSTILE)
    assert page.evaluate("window.bad") is None
    assert "<script" not in html and "<img" not in html, html
    assert 'href="javascript' not in html and 'href="https://a.b"' in html, html
    assert '<div class="code">' in html, "an open fence is no block"


def probabilities_show(page):
    page.click("#settings-open")
    page.check("[name=logprobs]")
    page.fill("[name=max_tokens]", "12")
    page.get_by_role("button", name="Done").click()
    page.click("#new")
    ask(page, "Count to five.")
    wait_done(page)
    assert "%" in page.locator(".token").first.get_attribute("title")
    page.click("#settings-open")
    page.uncheck("[name=logprobs]")
    page.get_by_role("button", name="Done").click()


def the_metrics_are_drawn(page):
    page.click("#metrics-open")
    expect(page.locator("#charts figure")).to_have_count(5, timeout=WAIT_MS)
    page.wait_for_timeout(2500)
    page.screenshot(path=SHOTS / "metrics.png")
    page.get_by_role("button", name="Close").click()


def nobody_is_shut_out(page, name):
    serious = [each for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")]
    assert not serious, [(each["id"], [node["html"] for node in each["nodes"]]) for each in serious]
    page.screenshot(path=SHOTS / f"{name}.png")


def it_fits_a_phone(page):
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    page.screenshot(path=SHOTS / "phone.png")
    page.click("#menu")
    expect(page.locator("#new")).to_be_visible()


def main():
    SHOTS.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(color_scheme="light")
        wrong, asked = [], set()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: asked.add(request.url.split("/")[2]))
        page.goto(ADDRESS)
        for check in (a_message_is_answered, a_long_answer_is_stopped, an_edited_message_takes_its_answer_away,
                      conversations_survive_a_reload, text_of_a_model_is_never_html, probabilities_show,
                      the_metrics_are_drawn):
            check(page)
            print(f"page: {check.__name__.replace('_', ' ')}")
        nobody_is_shut_out(page, "light")
        page.click("#theme")
        nobody_is_shut_out(page, "dark")
        it_fits_a_phone(page)
        nobody_is_shut_out(page, "phone-menu")
        assert not wrong, wrong
        assert asked == {ADDRESS.split("/")[2]}, f"asked {asked}"
        print("page: light, dark and on a phone it shuts nobody out and asks nobody else")
        browser.close()


main()
