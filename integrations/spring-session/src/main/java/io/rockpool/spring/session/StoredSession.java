package io.rockpool.spring.session;

import java.util.Map;
import org.springframework.session.MapSession;

/** A session as it was read. */
record StoredSession(String id, SessionRecord details, Map<String, Object> attributes) {
  MapSession toMapSession() {
    MapSession session = new MapSession(id);
    session.setCreationTime(details.created());
    session.setLastAccessedTime(details.accessed());
    session.setMaxInactiveInterval(details.maxInactive());
    attributes.forEach(session::setAttribute);
    return session;
  }
}
