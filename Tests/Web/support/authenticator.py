"""Chromium's virtual authenticator: passkeys of one device, which confirms the user by itself."""

OPTIONS = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
           "isUserVerified": True, "automaticPresenceSimulation": True}


class Authenticator:
    """An authenticator of one page. It ends with any session of Chromium's protocol with that page."""

    def __init__(self, page):
        self._session = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable")
        self._add()

    def _add(self):
        self._id = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": OPTIONS})["authenticatorId"]

    def replace(self):
        """Replaces the device with a new one, which has no passkeys."""
        self._session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": self._id})
        self._add()

    def passkeys(self):
        return self._session.send("WebAuthn.getCredentials", {"authenticatorId": self._id})["credentials"]
