"""Texts that would have an effect if a page interpreted them as markup or code."""

# Each would trigger a dialog, a request, an element or a property; none may.
MARKUP = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src=https://evil.example/x.png>",
    "<svg/onload=alert(1)>",
    "<svg><use href=\"data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'></svg>#x\"/></svg>",
    "<math><mtext></table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)>",
    "<a href=javascript:alert(1) autofocus onfocus=alert(1)>x</a>",
    "<details open ontoggle=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<body onload=alert(1)>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<base href=https://evil.example/>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>*{background:url(https://evil.example/x)}</style>",
    "<form action=https://evil.example/><button>x</button></form>",
    "</textarea><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "\"><script>alert(1)</script>",
    "' onmouseover='alert(1)' x='",
    "\" autofocus onfocus=\"alert(1)",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "`-alert(1)-`",
    "<!--<img src='--><img src=x onerror=alert(1)>'>",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "&lt;img src=x onerror=alert(1)&gt;",
    "<custom-element is=x-y></custom-element><slot name=x></slot>",
    "<template shadowrootmode=open><script>alert(1)</script></template>",
    "url(javascript:alert(1)); background: url(https://evil.example/x)",
    "red;} body{display:none} x{",
    "</script><script>alert(1)</script>",
    "__proto__",
    "\u2028alert(1)\u2029",
]

# Elements and attributes that no page uses; if present, they come from data.
TRACES = ("img[src='x'], iframe, object, embed, base, meta[http-equiv='refresh'], math, body style, body script,"
          " [onerror], [onload], [onfocus], [onmouseover], [ontoggle], [srcdoc], a[href^='javascript'], form[action],"
          " [src*='evil'], [href*='evil'], [is], template[shadowrootmode]")

# Texts that are right-to-left, reordered, invisible or not printable.
STRANGE = {
    "strange.arabic": "مرحبا بكم في التطبيق",
    "strange.hebrew": "שלום",
    "strange.override": "invoice\u202efdp.exe\u202c",
    "strange.isolate": "a\u2066b\u2069c",
    "strange.bell": "ring\u0007 and \u001b[31mred\u001b[0m",
    "strange.zero_width": "pay\u200bpal",
    "strange.combining": "Z̷̢̛͚a̵͇͗l̶͔̿g̵̩̈o̷̥͝",
    "strange.nul": "a\u0001b",
    "strange.lines": "one\r\ntwo\ttabbed\u2028three",
    "strange.emoji": "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
}


def assert_inert(case, page):
    """Fails the test if any text had an effect on the page."""
    traces = page.locator(TRACES)
    case.assertEqual(traces.count(), 0, traces.all_inner_texts() if traces.count() else "")
    case.assertFalse(page.evaluate("() => ({}).polluted !== undefined || Object.keys(Object.prototype).length > 0"))
